"""What could be bought or rented: the candidates that `app.core.advising.upgrades` compares."""

from __future__ import annotations

from collections.abc import Iterable

from app.core.advising.upgrades import Candidate
from app.services.advice.cards_for_sale import cards, rented_cards
from app.services.advice.parts_for_sale import disks, memory, processors
from app.services.advice.shelf import Predict, Question, Shelf


def upgrade_candidates(question: Question, predict: Predict, shelf: Shelf) -> Iterable[Candidate]:
    """Everything sensible to compare with the machine of the question.

    Args:
        question: Workload and machine.
        predict: Answers for another machine and a plan.
        shelf: What is sold.
    """
    yield from cards(question, predict, shelf)
    yield from memory(question, predict, shelf.prices)
    yield from disks(question, predict, shelf.prices)
    yield from processors(question, predict, shelf.prices)
    yield from rented_cards(question, predict, shelf)
