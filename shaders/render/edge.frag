#version 460
#extension GL_GOOGLE_include_directive : require
#include "render/view.h"

layout(push_constant, scalar) uniform Push { MeshArgs args; };
layout(location = 0) out vec4 color;

void main() { color = vec4(args.color.rgb, 1.0); }
