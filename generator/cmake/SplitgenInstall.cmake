# What the components of `cmake --install` share, and the files of the package that belong to no single component.
#
#   component    contains
#   runtime      the shared runtime, if there is one
#   development  the static runtime, headers, the CMake package and pkg-config file of both
#   tool         splitgen, its manual, completions, vocabulary, CMake package and pkg-config file
#   python       what makes the prefix a Python package, installed by pip alone
#
# Only this project installs the tool. Other projects that include this one also install the rest, which their kernels
# need.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(SPLITGEN_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/splitgen")
option(SPLITGEN_INSTALL_TOOL "Install the tool as well as the runtime" ${PROJECT_IS_TOP_LEVEL})

# splitgen_install_package(<part> <component>): exports the targets of splitgen-<part> for this build tree and for the
# installed one, and installs splitgen[-<part>].pc.
function(splitgen_install_package part component)
    export(EXPORT splitgen-${part} NAMESPACE splitgen::
           FILE "${PROJECT_BINARY_DIR}/splitgen-${part}-targets.cmake")
    install(EXPORT splitgen-${part} NAMESPACE splitgen:: FILE splitgen-${part}-targets.cmake
            DESTINATION "${SPLITGEN_CMAKE_DIR}" COMPONENT ${component})
    # Both parts install the common files, because each can be installed without the other.
    install(FILES "${PROJECT_SOURCE_DIR}/generator/cmake/splitgen-config.cmake"
                  "${PROJECT_SOURCE_DIR}/generator/cmake/SplitgenAddLibrary.cmake"
                  "${PROJECT_SOURCE_DIR}/generator/cmake/SplitgenTool.cmake"
                  "${PROJECT_SOURCE_DIR}/generator/driver/system_headers.inc"
                  "${PROJECT_BINARY_DIR}/splitgen-config-version.cmake"
            DESTINATION "${SPLITGEN_CMAKE_DIR}" COMPONENT ${component})
    install(PROGRAMS "${PROJECT_SOURCE_DIR}/generator/cmake/splitgen-size"
            DESTINATION "${SPLITGEN_CMAKE_DIR}" COMPONENT ${component})
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
            COMPONENT ${component})

    set(name splitgen-${part})
    if(part STREQUAL "tool")
        set(name splitgen)
    endif()
    # relative to the file, so that the installation can be moved
    foreach(dir BIN LIB INCLUDE CMAKE)
        if(dir STREQUAL "CMAKE")
            set(full "${CMAKE_INSTALL_FULL_LIBDIR}/cmake/splitgen")
        else()
            set(full "${CMAKE_INSTALL_FULL_${dir}DIR}")
        endif()
        file(RELATIVE_PATH from_here "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${full}")
        set(PC_${dir}DIR "\${pcfiledir}/${from_here}")
    endforeach()
    configure_file("${PROJECT_SOURCE_DIR}/generator/cmake/${name}.pc.in"
                   "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${name}.pc"
            DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT ${component})
endfunction()

# The package in the build tree: find_package with splitgen_DIR set to this folder.
foreach(file splitgen-config.cmake SplitgenAddLibrary.cmake SplitgenTool.cmake splitgen-size)
    configure_file("${PROJECT_SOURCE_DIR}/generator/cmake/${file}" "${PROJECT_BINARY_DIR}/${file}" COPYONLY)
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/generator/driver/system_headers.inc"
               "${PROJECT_BINARY_DIR}/system_headers.inc" COPYONLY)

# A runtime for another machine does not satisfy find_package, which then tries the next package.
set(version_file "${PROJECT_BINARY_DIR}/splitgen-config-version.cmake")
write_basic_package_version_file("${version_file}" VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
set(machine "${CMAKE_SYSTEM_NAME} ${CMAKE_SYSTEM_PROCESSOR}")
file(APPEND "${version_file}" "
if(CMAKE_CROSSCOMPILING AND NOT \"\${CMAKE_SYSTEM_NAME} \${CMAKE_SYSTEM_PROCESSOR}\" STREQUAL \"${machine}\")
  set(PACKAGE_VERSION \"\${PACKAGE_VERSION} (for ${machine})\")
  set(PACKAGE_VERSION_UNSUITABLE TRUE)
endif()
")

if(PROJECT_IS_TOP_LEVEL)
    add_custom_target(uninstall
        COMMAND "${CMAKE_COMMAND}" "-DMANIFESTS=${PROJECT_BINARY_DIR}/install_manifest*.txt"
                -P "${PROJECT_SOURCE_DIR}/generator/cmake/uninstall.cmake"
        COMMENT "Removing what was installed" VERBATIM)
endif()

# A Debian package of the tool and the static runtime: run cpack -G DEB in the build folder.
if(PROJECT_IS_TOP_LEVEL AND SPLITGEN_BUILD_GENERATOR)
    set(CPACK_GENERATOR DEB)
    set(CPACK_PACKAGE_CONTACT "The splitgen developers <splitgen@localhost>") # Debian requires an address
    set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
    set(CPACK_STRIP_FILES ON)
    set(CPACK_DEBIAN_PACKAGE_SECTION devel)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # needs dpkg-dev and file
    set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
    set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "splitgen compiles one tensor operation to C: Split, of ONNX and OpenVINO, described by a Lua file, a line of text
or a model. This package holds the tool, the headers and the runtime that generated code links against, and what
CMake and pkg-config find them by.")
    set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/generator/cmake/forget_staging.cmake")
    set(CPACK_SPLITGEN_MANIFEST "${PROJECT_BINARY_DIR}/install_manifest.txt")
    include(CPack)
endif()
