import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type FormEvent, useRef } from 'react'
import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError } from './api.ts'
import { useLeaveGuard } from './use-leave-guard.tsx'

/**
 * Saves what the form holds. Resolves with the way out of the form, or with nothing when she stays in it; rejects with what
 * was wrong.
 */
export type Save<Values> = (values: Values) => Promise<(() => void) | undefined>

type Rules<Draft, Values> = {
  /** Checks what the form holds, and makes of it what is saved. */
  draft: z.ZodMiniType<Values, Draft>
  initial: Draft
  onSave: Save<Values>
  /** The field of a picture: everything the server says of the file is about it. */
  picture: Path<Draft & FieldValues>
  /** The field that any other refusal is about, where that is not the one it names itself. */
  blame?: (refusal: ApiError) => Path<Draft & FieldValues> | undefined
}

/**
 * A form that is asked about before it is dropped and keeps everything when it is refused, with the server's sentence at the
 * field it is about.
 */
export function useDraftForm<Draft extends FieldValues, Values>(rules: Rules<Draft, Values>) {
  const { draft, initial, onSave, picture, blame } = rules
  const refused = useRef<string>(undefined)
  const underWay = useRef(false)
  const checked: Resolver<Draft, unknown, Values> = standardSchemaResolver(draft)
  const form = useForm<Draft, unknown, Values>({
    defaultValues: initial as DefaultValues<Draft>,
    /** A picture that is missing because the chosen one was not taken is missing for that reason. */
    async resolver(...asked) {
      const found = await checked(...asked)
      const missing = (found.errors as Partial<Record<string, { message?: string }>>)[picture]
      if (missing && refused.current) missing.message = refused.current
      return found
    },
  })
  const { errors, isDirty, isSubmitting: saving } = form.formState
  const guard = useLeaveGuard(isDirty)

  function fieldToBlame(error: unknown): Path<Draft> | undefined {
    if (!(error instanceof ApiError) || error.code < 400 || error.code >= 500) return undefined
    if (error.type.startsWith('storage_')) return picture
    const named = blame?.(error) ?? error.field
    return named && named in initial ? (named as Path<Draft>) : undefined
  }

  const save = form.handleSubmit(async (values) => {
    if (refused.current) form.setError(picture, { message: refused.current })
    try {
      const wayOut = await onSave(values)
      if (wayOut) guard.pass(wayOut)
    } catch (error) {
      const field = fieldToBlame(error)
      if (field) form.setError(field, { message: (error as ApiError).message }, { shouldFocus: true })
    }
  })

  /** Once at a time: the button learns with the next render that it is disabled, and a second Enter can come before. */
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (underWay.current) return
    underWay.current = true
    try {
      await save(event)
    } finally {
      underWay.current = false
    }
  }

  /** What a picker of the picture does with a file: puts it into the form, or says at its field why it was not taken. */
  const picking = (take: (file: File) => void) => ({
    onChoose(file: File) {
      refused.current = undefined
      form.clearErrors(picture)
      take(file)
    },
    onRefuse(message: string) {
      refused.current = message
      form.setError(picture, { message })
    },
  })

  return { ...form, errors, saving, guard, submit, picking }
}
