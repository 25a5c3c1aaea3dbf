"""What an error says without what frameworks put around it: colours, arguments received, values of tensors.

Keras raises an error of a layer's ``call`` anew behind "Exception encountered when calling …", in bold, with all that
the call received (keras/src/utils/traceback_utils.py); AutoGraph tells its calls as text ("in user code:").
"""

from __future__ import annotations

import re

_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_IN_A_CALL = re.compile(
    r"Exception encountered when calling (?P<what>.+?)\.\n\n(?P<said>.*?)\n\nArguments received by .*", re.DOTALL
)
_BEFORE_THE_CAUSE = (
    re.compile(r"Unable to automatically build the model\..*?Exception encountered:\n'(?P<said>.*)'", re.DOTALL),
    re.compile(r"Could not automatically infer the output shape.*?Error encountered:\n\n(?P<said>.*)", re.DOTALL),
)
_IN_USER_CODE = re.compile(r"in user code:\n.*?\n\n    (?P<said>\w+(?:: .*)?)\Z", re.DOTALL)
_VALUES = re.compile(r"(<[\w. ]*(?:Tensor|Variable)\b[^<>]*?), (?:numpy|value)=.*?>(?=[\s,.;:)\]}'\"]|\Z)", re.DOTALL)
_NUMBERS = re.compile(r"\[[\[\]()\d\s.,+\-einaf]{200,}\]")


def said_by(error: BaseException) -> str:
    """The text of an error, the cause first where a framework hides it."""
    text, called = _COLOURS.sub("", str(error)), ""
    if (call := _IN_A_CALL.search(text)) is not None:
        text, called = call["said"].strip(), f" (in {call['what']})"
    for pattern in _BEFORE_THE_CAUSE:
        text = found["said"] if (found := pattern.search(text)) is not None else text
    if (user := _IN_USER_CODE.search(text)) is not None:
        text = user["said"].removeprefix(f"{type(error).__name__}: ")
    return _NUMBERS.sub("[…]", _VALUES.sub(r"\1>", text)) + called
