import type { ComponentProps } from 'react'
import { TextInput } from './labelled-form-field.tsx'

/** One input for a code, so that autofill and pasting fill it whole; spaces are allowed. */
export function CodeInput(props: ComponentProps<'input'>) {
  return <TextInput {...props} inputMode="numeric" autoComplete="one-time-code" />
}
