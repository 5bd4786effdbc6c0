"""A session: moving, labelling, undo, and what it says of progress."""

from datetime import timedelta

import pytest

from annotate.labels import LabelConflict, LabelStore
from annotate.labels.claims import claim
from annotate.labels.own_labels import OwnLabels
from annotate.session import Session
from grader.errors import UserError
from grader.run import RunDirectory
from grader.run.transcript_index import TranscriptIndex


def test_labels_move_on_to_the_next_open_item(session: Session) -> None:
    assert session.following(-1) == 0
    session.label(0, "snippet", "match", seconds=10)
    session.label(1, "snippet", "non_match", seconds=20)
    session.label(3, "snippet", "no_answer", seconds=90)
    assert session.following(0) == 2
    assert session.following(2) == 4
    progress = session.progress()
    assert (progress.done, progress.total, progress.seconds) == (3, 12, 20)
    assert progress.minutes_left == pytest.approx(3.0)


def test_the_queue_wraps_and_ends(session: Session) -> None:
    for position in range(1, 12):
        session.label(position, "snippet", "match")
    assert session.following(11) == 0
    session.label(0, "snippet", "match")
    assert session.following(0) is None


def test_needs_transcript_leaves_an_item_open_at_the_next_stage(session: Session) -> None:
    session.label(0, "snippet", "needs_transcript", note="cut off")
    assert session.stage_of(0) == "transcript"
    assert session.progress().waiting_for_transcript == 1
    assert session.following(-1, "needs transcript") == 0
    assert session.following(-1, "with a note") == 0
    session.label(0, "transcript", "non_match")
    assert session.progress().done == 1
    assert session.following(-1, "snippet only") is None


def test_undo_goes_back_label_by_label(session: Session) -> None:
    session.label(4, "snippet", "match")
    session.label(4, "transcript", "match")
    session.label(2, "snippet", "match")
    assert session.undo() == (2, "snippet")
    assert session.undo() == (4, "transcript")
    assert session.own_label(4, "snippet").verdict == "match"
    assert session.undo() == (4, "snippet")
    with pytest.raises(UserError, match="take back"):
        session.undo()
    assert len(session.store.history()) == 3


def test_a_label_given_elsewhere_is_seen_after_the_conflict(
    session: Session, run: RunDirectory
) -> None:
    other = Session(session.transcripts, LabelStore.open(run.labels_path), "ada", session.queue)
    other.label(0, "snippet", "non_match", expected_revision=0)
    with pytest.raises(LabelConflict):
        session.label(0, "snippet", "match", expected_revision=0)
    own_label = session.own_label(0, "snippet")
    assert (own_label.verdict, own_label.revision) == ("non_match", 1)
    session.label(0, "snippet", "match", expected_revision=1)
    assert session.own_label(0, "snippet").verdict == "match"


def test_a_label_given_in_another_session_meanwhile_is_shown(
    session: Session, run: RunDirectory
) -> None:
    other = Session(session.transcripts, LabelStore.open(run.labels_path), "ada", session.queue)
    other.label(2, "snippet", "non_match", note="in percent")
    own_label = session.own_label(2, "snippet")
    assert (own_label.verdict, own_label.note) == ("non_match", "in percent")
    assert session.progress().done == 1
    other.undo()
    assert session.own_label(2, "snippet").verdict is None


def test_split_work_skips_what_others_did(session: Session) -> None:
    session.label(0, "snippet", "match")
    session.label(1, "snippet", "needs_transcript")
    bob = Session(session.transcripts, session.store, "bob", session.queue, split=True)
    both = Session(session.transcripts, session.store, "cy", session.queue)
    assert bob.advance(-1) == 1
    assert both.advance(-1) == 0
    bob.label(1, "snippet", "match")
    progress = bob.progress()
    assert (progress.done, progress.by_others, progress.left) == (1, 1, 10)


def bob_and_cy(session: Session, most: int | None = None) -> tuple[Session, Session]:
    """Two annotators who share out the first items of a queue, or all."""
    queue = session.queue[:most]
    return (
        Session(session.transcripts, session.store, "bob", queue, split=True),
        Session(session.transcripts, session.store, "cy", queue, split=True),
    )


def test_split_work_is_done_once_by_two_at_the_same_time(session: Session) -> None:
    desks = bob_and_cy(session)
    places = [desk.advance(-1) for desk in desks]
    assert places == [0, 1]
    while any(place is not None for place in places):
        for number, desk in enumerate(desks):
            place = places[number]
            if place is not None:
                desk.label(place, "snippet", "match")
                places[number] = desk.advance(place)
    labelled = [label.transcript_id for label in session.store.history()]
    assert sorted(labelled) == session.queue
    assert desks[1].progress().left == 0


def test_an_item_labelled_and_left_since_the_labels_were_read_is_not_given_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob, cy = bob_and_cy(session, 3)
    assert cy.advance(-1) == 0

    def claim_late(store: LabelStore, transcript_id: str, annotator: str) -> bool:
        """Claim after cy, in between, has labelled the first item and moved on to the second."""
        monkeypatch.undo()
        cy.label(0, "snippet", "match")
        assert cy.advance(0) == 1
        cy.open(1)
        return claim(store, transcript_id, annotator)

    monkeypatch.setattr("annotate.session.claim", claim_late)
    assert bob.advance(-1) == 2
    cy.undo()
    assert claim(session.store, session.queue[0], "dee")  # bob has not kept it


def test_who_leaves_an_item_gives_it_up_after_a_while(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob, cy = bob_and_cy(session, 1)
    monkeypatch.setattr("annotate.labels.claims.LASTS", timedelta(seconds=-1))
    assert bob.advance(-1) == 0
    monkeypatch.undo()
    assert cy.advance(-1) == 0
    assert cy.advance(-1) == 0
    assert bob.advance(-1) is None


def test_an_item_that_is_opened_by_number_is_not_handed_to_another(session: Session) -> None:
    bob, cy = bob_and_cy(session)
    assert bob.advance(-1) == 0
    bob.open(1)
    assert cy.advance(-1) == 2
    bob.open(5)
    assert cy.advance(-1) == 1
    assert bob.advance(-1) == 0


def test_undo_keeps_the_note_and_leaves_labels_of_other_sessions(session: Session) -> None:
    session.label(0, "snippet", "match")
    later = Session(session.transcripts, session.store, "ada", session.queue)
    later.label(1, "snippet", "match", note="unsure")
    assert later.undo() == (1, "snippet")
    assert later.own_label(1, "snippet").note == "unsure"
    with pytest.raises(UserError, match="in this session"):
        later.undo()
    later.label(1, "snippet", "match", note="")
    assert later.own_label(1, "snippet").note == ""


def test_undo_sent_again_takes_back_nothing_more(session: Session, run: RunDirectory) -> None:
    session.label(0, "snippet", "match")
    session.label(1, "snippet", "non_match", note="unsure")
    for _ in range(3):
        assert session.undo("n1") == (1, "snippet")
    assert [label.retracted for label in session.store.history()] == [False, True]
    restarted = Session(session.transcripts, session.store, "ada", session.queue[:1])
    assert restarted.undo("n1") == (1, "snippet")
    assert restarted.own_label(1, "snippet").note == "unsure"
    assert session.undo("n2") == (0, "snippet")


def test_a_note_is_shown_at_the_other_stage_too(session: Session) -> None:
    session.label(0, "snippet", "needs_transcript", note="cut off")
    assert session.own_label(0, "transcript").note == "cut off"
    session.label(0, "transcript", "match", note="")
    assert session.own_label(0, "transcript").note == ""
    assert session.own_label(0, "snippet").note == "cut off"
    session.label(1, "transcript", "match", note="read it all")
    assert session.own_label(1, "snippet").note == "read it all"


def test_snippets_are_computed_once_for_both_views(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.item(0)
    monkeypatch.setattr("annotate.view.snippets", pytest.fail)
    assert session.transcript(0).steps[0].segments[-1].marks


def test_find_jump_and_filters(session: Session) -> None:
    assert session.find("ITEM 7?", -1) == 7
    with pytest.raises(UserError, match="no question contains 'nothing like it'"):
        session.find("nothing like it", 3)
    assert session.preceding(5) == 4
    assert session.preceding(0) is None
    assert session.preceding(500) == 11  # of a page shown when the queue was longer
    with pytest.raises(UserError, match="unknown filter"):
        session.following(0, "opne")
    with pytest.raises(UserError, match="not in the run"):
        session.position("no-such-key")
    assert session.position(session.item(5).key) == 5


def test_a_label_that_was_given_under_another_queue_is_stored(session: Session) -> None:
    later = Session(session.transcripts, session.store, "ada", session.queue[:2])
    for _ in range(2):
        assert later.position(session.item(7).key) == 2
    later.label(2, "snippet", "match")
    assert [label.transcript_id for label in session.store.current()] == [session.queue[7]]
    assert (later.progress().done, later.progress().total) == (1, 3)
    assert later.undo() == (2, "snippet")


def test_labels_record_how_they_were_made(run: RunDirectory, store: LabelStore) -> None:
    archive = TranscriptIndex(run.transcripts_path)
    session = Session(archive, store, "ada", list(archive), revealed={})
    stored = session.label(0, "snippet", "match", seconds=1e9, note="n" * 5000)
    assert stored.unblinded
    assert stored.seconds == 3600
    assert len(stored.reason) == 5000


def test_a_note_above_the_limit_is_refused_and_not_cut(session: Session) -> None:
    with pytest.raises(UserError, match="at most 5,000 characters, this one has 5,001"):
        session.label(0, "snippet", "match", note="n" * 5001)
    assert session.store.history() == []


def test_a_label_sent_again_after_it_was_taken_back_stays_taken_back(session: Session) -> None:
    session.label(0, "snippet", "match", nonce="x", expected_revision=0)
    session.undo()
    session.label(0, "snippet", "match", nonce="x", expected_revision=0)
    assert session.progress().done == 0
    assert session.following(-1) == 0
    assert session.store.current() == []


def test_what_an_annotator_settled_is_not_their_own_label(session: Session) -> None:
    own = session.label(0, "snippet", "match")
    settled = own.model_copy(update={"verdict": "non_match", "adjudication": True})
    found = OwnLabels.of([own, settled], session.annotator, split=False)
    assert found.verdict(own.transcript_id, "snippet") == "match"
