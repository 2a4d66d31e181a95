// Form fields. Each field has a label and shows its own fault.
import type { ComponentChildren, InputHTMLAttributes } from 'preact'

type FieldProps = {
  readonly name: string
  readonly label: string
  readonly type?:
    | 'text'
    | 'email'
    | 'password'
    | 'url'
    | 'number'
    | 'date'
    | 'time'
    | 'datetime-local'
  /** The submitted value, so a refused form can be corrected without retyping. Null for a
   *  secret. */
  readonly value: string | null
  readonly autocomplete?: string
  readonly hint?: ComponentChildren
  readonly fault?: string | undefined
  readonly focus?: boolean
  readonly isOptional?: boolean
  readonly class?: string
  /** Attributes of the input, such as those that choose a phone's keyboard. */
  readonly input?: Partial<InputHTMLAttributes>
}

export function Field(props: FieldProps) {
  const { name, label, hint, fault } = props
  return (
    <div class="field">
      <label for={name}>
        {label}
        {props.isOptional && <span class="optional"> (optional)</span>}
      </label>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <input {...inputOf(props)} />
      <Fault name={name} fault={fault} />
    </div>
  )
}

/** The cast is needed because valid attributes depend on the input's type, which varies here. */
const inputOf = (props: FieldProps) =>
  ({
    id: props.name,
    name: props.name,
    type: props.type ?? 'text',
    value: props.value ?? '',
    class: props.class,
    autocomplete: props.autocomplete ?? 'off',
    required: props.isOptional !== true,
    'aria-describedby': described(props.name, props.hint !== undefined, props.fault),
    'aria-invalid': props.fault !== undefined ? 'true' : undefined,
    // After a refusal, the first fault gets the focus.
    autofocus: props.focus === true || props.fault !== undefined,
    ...props.input,
  }) as InputHTMLAttributes

const described = (name: string, hasHint: boolean, fault: string | undefined) =>
  [hasHint && `${name}-hint`, fault !== undefined && `${name}-fault`].filter(Boolean).join(' ') ||
  undefined

export const Fault = ({ name, fault }: { name: string; fault: string | undefined }) =>
  fault === undefined ? null : (
    <p class="fault" id={`${name}-fault`}>
      {fault}
    </p>
  )

type TextAreaProps = Pick<FieldProps, 'name' | 'label' | 'value' | 'hint' | 'fault' | 'isOptional'>

export const TextArea = ({ name, label, value, hint, fault, isOptional }: TextAreaProps) => (
  <div class="field">
    <label for={name}>
      {label}
      {isOptional && <span class="optional"> (optional)</span>}
    </label>
    {hint !== undefined && (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    <textarea
      id={name}
      name={name}
      rows={4}
      required={isOptional !== true}
      aria-describedby={described(name, hint !== undefined, fault)}
      aria-invalid={fault !== undefined ? 'true' : undefined}
      autofocus={fault !== undefined}
    >
      {value ?? ''}
    </textarea>
    <Fault name={name} fault={fault} />
  </div>
)

type SelectProps = Pick<FieldProps, 'name' | 'label' | 'value' | 'hint' | 'fault'> & {
  readonly options: readonly (readonly [value: string, label: string])[]
}

export function Select({ name, label, value, hint, fault, options }: SelectProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <select
        id={name}
        name={name}
        aria-describedby={described(name, hint !== undefined, fault)}
        aria-invalid={fault !== undefined ? 'true' : undefined}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
      <Fault name={name} fault={fault} />
    </div>
  )
}

/** A problem with the whole form. */
export const Alert = ({ children }: { children: ComponentChildren }) => (
  <p class="alert" role="alert">
    {children}
  </p>
)

export const Hidden = ({ name, value }: { name: string; value: string }) => (
  <input type="hidden" name={name} value={value} />
)
