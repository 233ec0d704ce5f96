import { type FormEvent, useRef, useState } from 'react'
import type * as z from 'zod/mini'

type Errors = Partial<Record<string, string>>

/**
 * A form of plain inputs checked by a schema: on submit, afterwards on every change; the first wrong field gets the focus
 * (design: forms). For the pages that must be light: the schema is loaded when she begins to write. Larger forms use
 * react-hook-form.
 */
export function useCheckedForm<Schema extends z.ZodMiniType>(
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

  /** Says what only the server knew. */
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
