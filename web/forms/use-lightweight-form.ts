import { type FormEvent, useRef, useState } from 'react'
import type * as z from 'zod/mini'

type Errors = Partial<Record<string, string>>

/** For pages with a tight size budget: the schema loads on focus. Larger forms use react-hook-form. */
export function useLightweightForm<Schema extends z.ZodMiniType>(
  loadSchema: () => Promise<Schema>,
  submit: (values: z.output<Schema>) => void,
) {
  const [errors, setErrors] = useState<Errors>()
  const element = useRef<HTMLFormElement>(null)

  /** @returns null if the schema cannot be loaded */
  const load = () => loadSchema().catch(() => null)

  async function check(form: HTMLFormElement, schema: Schema) {
    const checked = schema.safeParse(Object.fromEntries(new FormData(form)))
    const found: Errors = {}
    for (const { path, message } of checked.error?.issues ?? []) found[String(path[0])] ??= message
    setErrors(found)
    return { checked, found }
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const schema = await load()
    // If the schema cannot be loaded, the server validates, or the request fails offline.
    if (!schema) return submit(Object.fromEntries(new FormData(form)) as z.output<Schema>)
    const { checked, found } = await check(form, schema)
    if (checked.success) submit(checked.data)
    else focusFirst(form, found)
  }

  function onChange(event: FormEvent<HTMLFormElement>) {
    const form = event.currentTarget
    if (errors) void load().then((schema) => schema && check(form, schema))
  }

  function blame(field: string, sentence: string) {
    const found = { [field]: sentence }
    setErrors(found)
    if (element.current) focusFirst(element.current, found)
  }

  const form = {
    ref: element,
    noValidate: true,
    onFocus: () => void load(),
    onSubmit,
    onChange,
  }
  return { errors: errors ?? {}, blame, form }
}

function focusFirst(form: HTMLFormElement, errors: Errors) {
  for (const control of form.elements) {
    const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement
    if (isText && errors[control.name]) return control.focus()
  }
}
