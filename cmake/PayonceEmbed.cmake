# Texts that become C++ headers in the build folder: SQL, pages, the OpenAPI description. No tool but CMake is needed;
# a header is made anew when one of its texts is edited, added or removed.

set(PAYONCE_GENERATED "${CMAKE_BINARY_DIR}/generated")

# payonce_embed_header(TARGET target HEADER store/sqlite/sql.gen.h NAMESPACE payonce::sqlite::sql
#                      TEXTS files... MIGRATIONS files... VARIABLE name)
# Each text becomes a std::string_view named after its file; migrations become one array sorted by number.
function(payonce_embed_header)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;HEADER;NAMESPACE;VARIABLE" "TEXTS;MIGRATIONS")
  # Joined by a bar, since a list would be taken apart on its way to the script. The names are part of the command,
  # so that a removed file runs it again.
  list(JOIN arg_TEXTS "|" texts)
  list(JOIN arg_MIGRATIONS "|" migrations)
  set(header "${PAYONCE_GENERATED}/${arg_HEADER}")
  add_custom_command(
    OUTPUT "${header}"
    COMMAND "${CMAKE_COMMAND}" "-DHEADER=${header}" "-DNAMESPACE=${arg_NAMESPACE}" "-DVARIABLE=${arg_VARIABLE}"
            "-DTEXTS=${texts}" "-DMIGRATIONS=${migrations}"
            -P "${CMAKE_SOURCE_DIR}/cmake/embed.cmake"
    DEPENDS ${arg_TEXTS} ${arg_MIGRATIONS} "${CMAKE_SOURCE_DIR}/cmake/embed.cmake"
    COMMENT "Embedding ${arg_HEADER}"
    VERBATIM)
  target_sources(${arg_TARGET} PRIVATE "${header}")
  set_property(GLOBAL APPEND PROPERTY PAYONCE_GENERATED_HEADERS "${header}")
  target_include_directories(${arg_TARGET} PUBLIC "${PAYONCE_GENERATED}")
endfunction()

# One text as one variable: payonce_embed_text(payonce_core docs/page.html page_html cli/page.gen.h)
# gives payonce::assets::page_html in "cli/page.gen.h".
function(payonce_embed_text target file variable header)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE path)
  payonce_embed_header(TARGET ${target} HEADER ${header} NAMESPACE payonce::assets VARIABLE ${variable} TEXTS "${path}")
endfunction()

# src/store/<db>/{sql,migrations}/*.sql as payonce::<db>::sql in "store/<db>/sql.gen.h".
function(payonce_embed_sql target)
  file(GLOB databases LIST_DIRECTORIES true CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/store/*")
  foreach(folder IN LISTS databases)
    file(GLOB statements CONFIGURE_DEPENDS "${folder}/sql/*.sql")
    file(GLOB migrations CONFIGURE_DEPENDS "${folder}/migrations/*.sql")
    if(statements OR migrations)
      cmake_path(GET folder FILENAME database)
      payonce_embed_header(TARGET ${target} HEADER store/${database}/sql.gen.h NAMESPACE payonce::${database}::sql
        TEXTS ${statements} MIGRATIONS ${migrations})
    endif()
  endforeach()
endfunction()

# src/<dir>/assets/* as payonce::assets::<dir> in "<dir>/assets.gen.h"; openapi.json is named openapi_json.
function(payonce_embed_assets target)
  file(GLOB_RECURSE assets CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/*/assets/*")
  set(folders "")
  foreach(asset IN LISTS assets)
    cmake_path(GET asset PARENT_PATH folder)
    list(APPEND folders "${folder}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    set(texts ${assets})
    list(FILTER texts INCLUDE REGEX "^${folder}/[^/]+$")
    cmake_path(GET folder PARENT_PATH owner)
    cmake_path(RELATIVE_PATH owner BASE_DIRECTORY "${CMAKE_SOURCE_DIR}/src")
    string(REPLACE "/" "::" namespace "${owner}")
    payonce_embed_header(TARGET ${target} HEADER ${owner}/assets.gen.h NAMESPACE payonce::assets::${namespace}
      TEXTS ${texts})
  endforeach()
endfunction()
