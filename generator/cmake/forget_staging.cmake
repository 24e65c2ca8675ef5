# cpack runs this after gathering the files of a package, which leaves a manifest as if they had been installed into
# /usr. With that manifest the target `uninstall` would remove the files of an installed package.
file(REMOVE "${CPACK_SPLITGEN_MANIFEST}")
