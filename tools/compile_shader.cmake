# One shader from GLSL to checked SPIR-V. Any warning fails.
#   cmake -DGLSLANG= -DSPIRV_OPT= -DSPIRV_VAL= -DTOOL= -DIN= -DOUT= -DINCLUDE= -DVARIANT=STRICT|FAST|TEXELS -P compile_shader.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0 OR output MATCHES "[Ww][Aa][Rr][Nn][Ii][Nn][Gg]")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
endfunction()

run(${GLSLANG} -V --quiet --target-env vulkan1.3 -I${INCLUDE} -I${INCLUDE}/.. -DSLUICE_${VARIANT} --depfile ${OUT}.d -o ${OUT}.raw ${IN})
if(VARIANT STREQUAL "FAST")
  run(${SPIRV_OPT} --target-env=vulkan1.3 -O ${OUT}.raw -o ${OUT})
else()
  # Before the optimiser, so that it does not re-associate floats; after it, since what it leaves is what runs.
  run(${TOOL} strict ${OUT}.raw ${OUT}.raw)
  run(${SPIRV_OPT} --target-env=vulkan1.3 -O ${OUT}.raw -o ${OUT}.opt)
  run(${TOOL} strict ${OUT}.opt ${OUT})
endif()
run(${SPIRV_VAL} --target-env vulkan1.3 --scalar-block-layout ${OUT})
# glslang names its own output in the depfile; the build rule's output is another file.
file(READ ${OUT}.d depfile)
string(REGEX REPLACE "^[^:]*:" "${OUT}:" depfile "${depfile}")
file(WRITE ${OUT}.d "${depfile}")
