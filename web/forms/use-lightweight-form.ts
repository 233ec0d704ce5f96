import { type FormEvent, useRef, useState } from 'react'
import type * as z from 'zod/mini'

type Errors = Partial<Record<string, string>>

/**
 * A form of plain inputs checked by a schema: on submit, then on every change; the first invalid field gets the focus.
 * For pages with a tight size budget: the schema loads when the form gets the focus. Larger forms use react-hook-form.
 */
export function useLightweightForm<Schema extends z.ZodMiniType>(
  loadSchema: () => Promise<Schema>,
  submit: (values: z.output<Schema>) => void,
) {
  const [errors, setErrors] = useState<Errors>()
  const element = useRef<HTMLFormElement>(null)

  async function check(form: HTMLFormElement) {
    const checked = (await loadSchema()).safeParse(Object.fromEntries(new FormData(form)))
    const found: Errors = {}
    for (const { path, message } of checked.error?.issues ?? []) found[String(path[0])] ??= message
    setErrors(found)
    return { checked, found }
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const { checked, found } = await check(form)
    if (checked.success) submit(checked.data)
    else focusFirst(form, found)
  }

  function onChange(event: FormEvent<HTMLFormElement>) {
    if (errors) void check(event.currentTarget)
  }

  /** Shows an error that only the server could find. */
  function blame(field: string, sentence: string) {
    const found = { [field]: sentence }
    setErrors(found)
    if (element.current) focusFirst(element.current, found)
  }

  const form = { ref: element, noValidate: true, onFocus: loadSchema, onSubmit, onChange }
  return { errors: errors ?? {}, blame, form }
}

function focusFirst(form: HTMLFormElement, errors: Errors) {
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && errors[control.name]) return control.focus()
  }
}
