// Scopes in words, as a list and as checkboxes.
import { allScopes, type Scope, scopes } from '#contract/scopes.ts'

export const ScopeList = ({ of }: { of: readonly string[] }) => (
  <ul class="scopes">
    {allScopes
      .filter(scope => of.includes(scope))
      .map(scope => (
        <li key={scope}>
          <span>{sentence(scope)}</span>
          <code>{scope}</code>
        </li>
      ))}
  </ul>
)

const sentence = (scope: Scope) => scopes[scope].charAt(0).toUpperCase() + scopes[scope].slice(1)

/** Checkboxes for scopes, all in one field. */
export const ScopeChoice = (props: { chosen: readonly string[]; offered?: readonly Scope[] }) => (
  <div class="choices">
    {(props.offered ?? allScopes).map(scope => (
      <div class="choice" key={scope}>
        <input
          type="checkbox"
          name="scope"
          id={`scope-${scope}`}
          value={scope}
          checked={props.chosen.includes(scope)}
        />
        <label for={`scope-${scope}`}>
          {sentence(scope)} <code>{scope}</code>
        </label>
      </div>
    ))}
  </div>
)
