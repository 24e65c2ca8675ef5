"""Describes the machine of the measurements: caches, processor, versions."""

import os
import platform
import re
import subprocess


def _cache(level, default):
    """Bytes of the data cache of one processor. Not from sysconf(): on some AMD processors that adds the last-level
    caches of all dies."""
    folder = "/sys/devices/system/cpu/cpu0/cache"
    for index in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        where = os.path.join(folder, index)
        if (_read(f"{where}/level").strip() == str(level)
                and _read(f"{where}/type").strip() in ("Data", "Unified")):
            match = re.match(r"(\d+)([KM])", _read(f"{where}/size"))
            if match:
                return int(match[1]) << (10 if match[2] == "K" else 20)
    return default


def _read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


# The rows of generator/plan/machine/cost.inc, by the processor models in /proc/cpuinfo.
_GOLDEN_COVE = {143, 207, 151, 154, 183, 186, 191}  # Alder Lake and Raptor Lake have its core
_ZEN_5 = 26
_ZEN_4 = 25  # and Zen 3, which has no AVX-512
_NEOVERSE_V2 = 0xd4f


def uarch(cpuinfo):
    """The microarchitecture as spelled for splitgen --tune, or "generic"."""
    def number(key):
        match = re.search(rf"^{key}\s*:\s*(0x[0-9a-f]+|\d+)", cpuinfo, re.MULTILINE)
        return int(match[1], 0) if match else None

    vendor = re.search(r"^vendor_id\s*:\s*(\S+)", cpuinfo, re.MULTILINE)
    vendor = vendor[1] if vendor else ""
    if vendor == "GenuineIntel" and number("cpu family") == 6 and number("model") in _GOLDEN_COVE:
        return "goldencove"
    if vendor == "AuthenticAMD" and number("cpu family") == _ZEN_5:
        return "zen5"
    if vendor == "AuthenticAMD" and number("cpu family") == _ZEN_4:
        return "zen4" if "avx512f" in cpuinfo else "zen3"
    if number("CPU implementer") == 0x41 and number("CPU part") == _NEOVERSE_V2:
        return "neoverse_v2"
    return "generic"


def version(command):
    try:
        return subprocess.run([command, "--version"], capture_output=True,
                              text=True).stdout.splitlines()[0]
    except (OSError, IndexError):
        return "unknown"


def available_bytes():
    match = re.search(r"MemAvailable:\s+(\d+)", _read("/proc/meminfo"))
    return int(match[1]) * 1024 if match else 1 << 30


def _system():
    """The distribution, without the kernel version, which often names its builder."""
    match = re.search(r'^PRETTY_NAME="?(.*?)"?$', _read("/etc/os-release"), re.MULTILINE)
    return match[1] if match else platform.system()


def describe(config):
    cpuinfo = _read("/proc/cpuinfo")
    model = re.search(r"model name\s*:\s*(.*)", cpuinfo)
    flags = re.search(r"flags\s*:\s*(.*)", cpuinfo)
    flags = set(flags[1].split()) if flags else set()
    family = [re.search(rf"{key}\s*:\s*(\S+)", cpuinfo) for key in ("cpu family", "model")]
    pages = _read("/sys/kernel/mm/transparent_hugepage/enabled")
    return {
        "cpu": model[1] if model else platform.machine(),
        "family_model": " ".join(m[1] for m in family if m),
        "uarch": uarch(cpuinfo),
        "hypervisor": "hypervisor" in flags,
        "vector": [f for f in ("avx2", "avx512f", "avx512bw", "avx512vbmi", "avx512_vbmi2", "gfni")
                   if f in flags],
        "processors": len(os.sched_getaffinity(0)),
        "l1": _cache(1, 32 << 10),
        "l2": _cache(2, 1 << 20),
        "l3": _cache(3, 32 << 20),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": _system(),
        "libc": " ".join(platform.libc_ver()),
        "thp": (re.search(r"\[(\w+)\]", pages) or [None, "unknown"])[1],
        "gcc": version(config["gcc"]),
        "clang": version(config["clang"]),
        "splitgen": version(config["splitgen"]),
        "python": platform.python_version(),
    }
