// SPDX-License-Identifier: Apache-2.0
// A barrier of a subgroup for shared memory (GL_KHR_memory_scope_semantics).
void wait_for_subgroup() {
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared,
        gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}
