#version 460
layout(location = 0) in vec2 corner;

void main() {
  if (dot(corner, corner) > 1.0) discard;
}
