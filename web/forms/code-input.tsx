import type { ComponentProps } from 'react'
import { TextInput } from './labelled-form-field.tsx'

/** Takes six digits, in one input that autofill and pasting fill whole. */
export function CodeInput(props: ComponentProps<'input'>) {
  return <TextInput {...props} inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
}
