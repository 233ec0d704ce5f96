import type { ComponentProps } from 'react'
import { TextInput } from './labelled-form-field.tsx'

/** A single input, so autofill and pasting fill in the whole code. */
export function CodeInput(props: ComponentProps<'input'>) {
  return <TextInput {...props} inputMode="numeric" autoComplete="one-time-code" />
}
