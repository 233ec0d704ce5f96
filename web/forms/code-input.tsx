import type { ComponentProps } from 'react'
import { TextInput } from './labelled-form-field.tsx'

/** Takes a code in one input that autofill and pasting fill whole, with the spaces that others write between digits. */
export function CodeInput(props: ComponentProps<'input'>) {
  return <TextInput {...props} inputMode="numeric" autoComplete="one-time-code" />
}
