"""Answer what cuDNN asks for, shape by shape: a convolution's numbers in each line that comes in, its scratch in each
that goes out (`studies.accuracy.convolution_scratch`).  The first line that goes out is cuDNN's version.  The argument
is cuDNN's number of the type of numbers.
"""

from __future__ import annotations

import json
import sys

from app.core.types.convolution import Convolution
from studies.accuracy.cudnn_asked import Cudnn


def main() -> None:
    """Answer until nothing more is asked."""
    cudnn, numbers = Cudnn(), int(sys.argv[1])
    print(cudnn.version, flush=True)
    for line in sys.stdin:
        answers = [cudnn.scratch_bytes(Convolution(*told), numbers) for told in json.loads(line)]
        print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    main()
