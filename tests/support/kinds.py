"""The words of --emit: KINDS, and MODEL_KINDS for those about a complete model."""
import re

from testing import SOURCE

_all = re.findall(r'^KIND\([A-Z0-9_]+, *"([^"]+)"', (SOURCE / "generator/driver/kinds.inc").read_text("utf-8"), re.M)
MODEL_KINDS = [kind for kind in _all if kind.startswith("placement")]
KINDS = [kind for kind in _all if kind not in MODEL_KINDS]
