# Removes every file named in the manifests of `cmake --install` (MANIFESTS, a pattern), and the folders that become
# empty, except the prefix and the folders directly in it (bin, lib, share, ...), which may have existed before. DESTDIR
# as for the installation.
cmake_minimum_required(VERSION 3.22)

file(GLOB manifests "${MANIFESTS}")
if(NOT manifests)
    message(FATAL_ERROR "there is no ${MANIFESTS}: nothing was installed from this build")
endif()
foreach(manifest IN LISTS manifests)
    file(STRINGS "${manifest}" files)
    foreach(file IN LISTS files)
        set(path "$ENV{DESTDIR}${file}")
        message(STATUS "Removing ${path}")
        file(REMOVE "${path}")
        cmake_path(GET path PARENT_PATH folder)
        cmake_path(GET folder FILENAME name)
        set(failed 0)
        while(failed EQUAL 0 AND NOT name MATCHES "^(bin|lib|lib64|include|share)$")
            # rmdir fails if the folder is not empty
            execute_process(COMMAND rmdir "${folder}" RESULT_VARIABLE failed ERROR_QUIET)
            cmake_path(GET folder PARENT_PATH folder)
            cmake_path(GET folder FILENAME name)
        endwhile()
    endforeach()
    file(REMOVE "${manifest}")
endforeach()
