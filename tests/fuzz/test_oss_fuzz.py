"""Runs oss-fuzz/build.sh with the variables that OSS-Fuzz sets, then each fuzzer: on its seeds, and a thousand times
with its dictionary."""
import shutil
import zipfile

import pytest
from testing import SOURCE, given, regex

FLAGS = ("-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -fsanitize=address "
         "-fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link")


def test_the_fuzzers_of_oss_fuzz(work):
    if not given["clang"] or not given["clangxx"] or not shutil.which("zip"):
        pytest.skip("sudo apt-get install clang libclang-rt-dev zip")
    for folder in "src", "work", "out":
        (work / folder).mkdir()
    (work / "src/splitgen").symlink_to(SOURCE)
    work.run([SOURCE / "tests/fuzz/oss-fuzz/build.sh"], env={
        "CC": given["clang"], "CXX": given["clangxx"], "CFLAGS": FLAGS, "CXXFLAGS": FLAGS,
        "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer",
        **{name.upper(): str(work / name) for name in ("src", "work", "out")}})
    fuzzers = {path.stem for path in (SOURCE / "tests/fuzz").glob("fuzz_*.c")} - {"fuzz_pipeline"}
    assert fuzzers
    for name in sorted(fuzzers):
        seeds = work / f"seeds_{name}"
        with zipfile.ZipFile(work / f"out/{name}_seed_corpus.zip") as corpus:
            corpus.extractall(seeds)
        count = len(list(seeds.iterdir()))
        work.run([work / f"out/{name}", "-runs=0", seeds], err=f" {count} files found in ")
        assert count
        (work / f"new_{name}").mkdir()
        work.run([work / f"out/{name}", f"-runs={count + 1000}", f"-dict={work.path}/out/{name}.dict", "-max_len=4096",
                  "-timeout=1000", work / f"new_{name}", seeds],
                 err=[regex("Dictionary: [1-9]"), regex("cov: [1-9][0-9][0-9]")])
    shutil.rmtree(work.path)
