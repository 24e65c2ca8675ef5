"""splitgen for Conan 2. A project says, in its conanfile.py:

    def requirements(self):
        self.requires("splitgen/<version>")  # the runtime, for the target

    def build_requirements(self):
        self.tool_requires("splitgen/<host_version>")  # the tool, for the machine that builds

and find_package(splitgen) in CMake, with the generators CMakeToolchain and VirtualBuildEnv.
"""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import cross_building
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

required_conan_version = ">=2.0"


class Splitgen(ConanFile):
    name = "splitgen"
    description = "Ahead-of-time compiler for the tensor Split operator"
    license = "MIT"
    settings = "os", "arch", "compiler", "build_type"
    test_package_folder = os.path.join("..", "..", "tests", "install", "conan")
    package_type = "static-library"  # and, except in cross builds, a program

    def _tree(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._tree(), "include", "splitgen", "splitgen.h"))
        self.version = re.search(r'define SPLITGEN_VERSION\s+"([0-9.]+)"', header).group(1)

    def export_sources(self):
        for part in "CMakeLists.txt", "LICENSE", "README.md", "generator/*", "include/*", "runtime/*", "templates/*":
            copy(self, part, self._tree(), self.export_sources_folder)

    def configure(self):
        self.settings.rm_safe("compiler.libcxx")  # C
        self.settings.rm_safe("compiler.cppstd")

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("splitgen is built and tested on Linux alone")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SPLITGEN_BUILD_TESTS"] = False
        toolchain.cache_variables["SPLITGEN_BUILD_EXAMPLES"] = False
        toolchain.cache_variables["SPLITGEN_BUILD_GENERATOR"] = not cross_building(self)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # The package's own find_package files, which define splitgen_add_library().
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "splitgen")]
        self.cpp_info.set_property("pkg_config_name", "splitgen-runtime")
        self.cpp_info.libs = ["splitgen_runtime"]
