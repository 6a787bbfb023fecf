------------------------------ MODULE Symbols ------------------------------
EXTENDS Integers
CONSTANTS S, T, _ ≺ _
VARIABLES x, y
Init ≜ x ∈ S ∧ y ∉ T ∧ ¬(x = y)
Next ≜ ∨ ∃ n ∈ S : ∧ x' = n
                   ∧ y' = n
       ∨ ∀ n ∈ S ∪ (T ∩ {}) : n ≠ x ⇒ (n ≺ y ≡ TRUE)
         ∨ ⟨x' = 1⟩_⟨x, y⟩
Sets ≜ [S → T] ∪ {n ∈ ℕ : n ≥ 1 ∧ n ≤ 2} ∪ ([a ↦ 1, b ↦ ℤ].b × ℝ)
Live ≜ □◇(x ⊆ y) ↝ ◇□Init ∧ □[Next]_x
I ≜ INSTANCE Other WITH u ← x
Named ≜ label∷ (x ⊕ y ⊗ 1) ⋅ 2
x ⊓ n ≜ x ⁇ n
n⁺ ≜ n ‥ 3
============================================================================
