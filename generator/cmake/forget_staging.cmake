# Run by cpack when the files of a package are gathered, which leaves a manifest as if they had been installed into
# /usr. The target `uninstall` would take the files of an installed package for its own.
file(REMOVE "${CPACK_SPLITGEN_MANIFEST}")
