# The targets genvisa::genvisa (shared) and genvisa::static.
get_filename_component(_genvisa "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_package(Threads REQUIRED)
foreach(_kind IN ITEMS genvisa static)
    if(NOT TARGET genvisa::${_kind})
        add_library(genvisa::${_kind} UNKNOWN IMPORTED)
        set(_suffix so)
        if(APPLE)
            set(_suffix dylib)
        endif()
        if(_kind STREQUAL static)
            set(_suffix a)
            set_target_properties(genvisa::${_kind} PROPERTIES
                INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
        endif()
        set_target_properties(genvisa::${_kind} PROPERTIES
            IMPORTED_LOCATION "${_genvisa}/lib/libgenvisa.${_suffix}"
            INTERFACE_INCLUDE_DIRECTORIES "${_genvisa}/include")
    endif()
endforeach()
