"""Answer what cuDNN asks for, shape by shape: a convolution's numbers in each line that comes in, its scratch in each
that goes out (`studies.accuracy.convolution_scratch`).  The first line that goes out is cuDNN's version."""

from __future__ import annotations

import json
import sys

from app.core.types.convolution import Convolution
from studies.accuracy.cudnn_asked import FLOAT, HALF, Cudnn


def main() -> None:
    """Answer until nothing more is asked."""
    cudnn = Cudnn()
    print(cudnn.version, flush=True)
    for line in sys.stdin:
        asked = (told and Convolution(*told) for told in json.loads(line))
        answers = [one and cudnn.scratch_bytes(one, HALF if one.channels_last else FLOAT) for one in asked]
        print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    main()
