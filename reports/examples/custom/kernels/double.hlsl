// SPDX-License-Identifier: Apache-2.0
// Doubling in HLSL. WG_X is a macro, so that the size can be tuned. The length is in a uniform buffer.
StructuredBuffer<float> inputs : register(t0);
RWStructuredBuffer<float> outputs : register(u1);
cbuffer Parameters : register(b2) { uint n; };

[numthreads(WG_X, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    if (id.x < n) outputs[id.x] = inputs[id.x] * 2.0;
}
