# The web parts: TypeScript bundled by esbuild, from the packages that web/package-lock.json pins, and embedded.

find_program(PAYONCE_NODE node REQUIRED)
find_program(PAYONCE_NPM npm REQUIRED)
set(payonce_web "${CMAKE_SOURCE_DIR}/web")
set(payonce_web_built "${CMAKE_BINARY_DIR}/web")

# Fetches the packages unless those that are there are the pinned ones. One folder serves all build folders.
set(payonce_web_packages "${payonce_web_built}/packages.stamp")
add_custom_command(
  OUTPUT "${payonce_web_packages}"
  COMMAND "${CMAKE_SOURCE_DIR}/tools/web-packages" web
  COMMAND "${CMAKE_COMMAND}" -E touch "${payonce_web_packages}"
  DEPENDS "${payonce_web}/package-lock.json" "${CMAKE_SOURCE_DIR}/tools/web-packages"
  COMMENT "Fetching the packages of web/"
  VERBATIM)

# The hosted page and the element for pages of shops, as payonce::assets::checkout in "http/checkout_assets.gen.h".
function(payonce_embed_checkout target)
  file(GLOB sources CONFIGURE_DEPENDS "${payonce_web}/page/*" "${payonce_web}/checkout/src/*")
  set(bundles "${payonce_web_built}/page.js" "${payonce_web_built}/page.css" "${payonce_web_built}/element.js")
  add_custom_command(
    OUTPUT ${bundles}
    COMMAND "${PAYONCE_NODE}" "${payonce_web}/node_modules/esbuild/bin/esbuild" "page=${payonce_web}/page/page.ts"
            "page=${payonce_web}/page/page.css" "element=${payonce_web}/checkout/src/element.ts" --bundle --minify
            --format=esm --target=es2022,safari16.4 --charset=utf8 --log-level=warning "--outdir=${payonce_web_built}"
    DEPENDS ${sources} "${payonce_web_packages}"
    COMMENT "Bundling the checkout"
    VERBATIM)
  payonce_embed_header(TARGET ${target} HEADER http/checkout_assets.gen.h NAMESPACE payonce::assets::checkout
    TEXTS ${bundles})
endfunction()
