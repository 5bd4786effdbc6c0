"""Choice tasks: the option that an output settles on."""
