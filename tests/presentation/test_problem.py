from app.core.types.text import phrase
from app.core.types.units import GIB
from app.presentation.problem import ErrorState, error_facts, error_state


def test_diagnostics_tell_the_facts_that_are_known():
    error = ErrorState(phrase("no memory"), hint=phrase("a smaller batch"), needed_bytes=3 * GIB, had_bytes=GIB)
    assert error_facts(error) == {
        "message": "no memory",
        "needed": "3.0 GiB",
        "had": "1.0 GiB",
        "hint": "a smaller batch",
    }


def test_an_error_without_facts_tells_its_message_alone():
    assert error_facts(error_state(RuntimeError("x"))) == {
        "message": "Something in this program is broken",
        "original": "RuntimeError: x",
    }
    assert error_facts(None) == {}
