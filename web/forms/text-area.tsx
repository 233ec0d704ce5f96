import type { ComponentProps } from 'react'
import { cx } from '../ui/cx.ts'
import { formControlClassName } from './labelled-form-field.tsx'

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea dir="auto" {...rest} className={cx(formControlClassName, 'block px-4 py-3', className)} />
}
