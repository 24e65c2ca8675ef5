"""Lays the package out as in a wheel, from this source tree and this build: splitgen/ in a folder."""
import glob, os, shutil


def stage(splitgen, source_dir, folder):
    """Creates the package again and returns the folder for Python's path."""
    package = os.path.join(folder, "splitgen")
    shutil.rmtree(package, ignore_errors=True)
    os.makedirs(package + "/bin")
    os.makedirs(package + "/share/splitgen")
    for path in glob.glob(f"{source_dir}/generator/python/*.py") + [
            f"{source_dir}/generator/python/py.typed", f"{source_dir}/runtime/splitgen_arrays.py"]:
        shutil.copy(path, package)
    os.symlink(os.path.abspath(splitgen), package + "/bin/splitgen")
    os.symlink(f"{source_dir}/include", package + "/include")
    os.symlink(f"{source_dir}/runtime", package + "/share/splitgen/runtime")
    return folder
