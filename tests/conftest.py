"""pytest's configuration for all modules: options, the folder of each test, reasons why tests are skipped."""
import os
import pathlib
import re
import shutil

import pytest
import testing

BUILD = testing.SOURCE / "build/test"
ALL_SKIPPED = 77  # SKIP_RETURN_CODE of ctest


def pytest_addoption(parser):
    parser.addoption("--tool", default=BUILD / "generator/splitgen", help="splitgen")
    parser.addoption("--work", default=BUILD / "tests/work", help="the folder for the tests' folders")
    parser.addoption("--set", action="append", default=[], metavar="NAME=VALUE", help="a value of testing.given")


def pytest_configure(config):
    os.umask(0o022)
    testing.given.update(cc="cc", tool=os.path.abspath(config.getoption("--tool")), work=os.path.abspath(config.getoption("--work")))
    values = dict(one.split("=", 1) for one in config.getoption("--set"))
    testing.given.update({name: "" if value.endswith("-NOTFOUND") else value for name, value in values.items()})


def folder(request, name):
    path = pathlib.Path(request.config.getoption("--work")).absolute() / re.sub(r"[^A-Za-z0-9_.-]+", "_", name)[:100]
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return testing.Work(path, pathlib.Path(request.config.getoption("--tool")).absolute())


@pytest.fixture
def work(request):
    """An empty folder for one test."""
    return folder(request, request.node.name)


@pytest.fixture(scope="module")
def shared(request):
    """An empty folder for all tests of a module, for what is slow to make."""
    return folder(request, f"shared_{request.node.name}")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """An assertion of Python that fails comes with the last command of its test."""
    outcome = yield
    report = outcome.get_result()
    last = getattr(getattr(item, "funcargs", {}).get("work"), "last", None)
    if report.failed and last and "--- command" not in str(report.longrepr):
        report.sections.append(("the last command", str(last)))


def pytest_sessionfinish(session):
    stats = session.config.pluginmanager.get_plugin("terminalreporter").stats
    if stats.get("skipped") and not any(stats.get(kind) for kind in ("passed", "failed", "error")):
        session.exitstatus = ALL_SKIPPED


def pytest_terminal_summary(terminalreporter):
    """tests/run lists these lines."""
    for reason in sorted({report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])}):
        terminalreporter.write_line(f"SKIPPED: {reason.removeprefix('Skipped: ')}")
