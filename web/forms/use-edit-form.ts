/**
 * Asks before unsaved changes are dropped, and keeps them after a failure. The server's message appears at its field.
 */
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type FormEvent, useRef } from 'react'
import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError } from '../api/client.ts'
import { type FormDraftKeeper, useUnsavedChangesGuard } from '../navigation/use-unsaved-changes-guard.tsx'
import { waitForChosenImages } from '../ui/images/accept-images.ts'
import type { ImageUpload } from './use-image-uploads.ts'

/** Resolves with the navigation that leaves the form, or undefined to stay. Rejects if saving fails. */
export type FormSaveHandler<Values> = (values: Values) => Promise<(() => void) | undefined>

type Uploader = {
  begin: (file: File) => Promise<unknown>
  beginSoon?: (file: File) => Promise<unknown>
}

type Rules<Draft, Values, Upload> = {
  draft: z.ZodMiniType<Values, Draft>
  initial: Draft
  onSave: FormSaveHandler<Values>
  picture: Path<Draft & FieldValues>
  upload: Upload
  /** Finds the field of an error that names none. */
  blame?: (refusal: ApiError) => Path<Draft & FieldValues> | undefined
  /** Texts by error type. They replace messages that are not in the page's language. */
  sentences?: Partial<Record<string, string>>
  keeper?: FormDraftKeeper
}

export type FormImagePicking<Upload = ImageUpload> = {
  upload: Upload
  /** Afterwards saves the form, if the member had already tried to save it. */
  onResume: (file: File) => void
  handlers: (take: (file: File) => void) => {
    onChoose: (file: File) => void
    onRefuse: (reason: string) => void
  }
}

export function useEditForm<Draft extends FieldValues, Values, Upload extends Uploader>(
  rules: Rules<Draft, Values, Upload>,
) {
  const { draft, initial, onSave, picture, upload, blame, sentences, keeper } = rules
  const refused = useRef<string>(undefined)
  const underWay = useRef(false)
  const failed = useRef(false)
  const checked: Resolver<Draft, unknown, Values> = standardSchemaResolver(draft)
  const form = useForm<Draft, unknown, Values>({
    defaultValues: initial as DefaultValues<Draft>,
    /** If the chosen image was refused, its field shows the reason. */
    async resolver(...asked) {
      const found = await checked(...asked)
      const missing = (found.errors as Partial<Record<string, { message?: string }>>)[picture]
      if (missing && refused.current) missing.message = refused.current
      return found
    },
  })
  const { errors, isDirty, isSubmitting: saving } = form.formState
  const guard = useUnsavedChangesGuard(isDirty, keeper)

  function fieldToBlame(error: unknown): Path<Draft> | undefined {
    if (!(error instanceof ApiError) || error.code < 400 || error.code >= 500) return undefined
    if (error.type.startsWith('storage_')) return picture
    const named = blame?.(error) ?? error.field
    return named && named in initial ? (named as Path<Draft>) : undefined
  }

  const save = form.handleSubmit(async (values) => {
    if (refused.current) form.setError(picture, { message: refused.current })
    try {
      failed.current = false
      const wayOut = await onSave(values)
      if (wayOut) guard.pass(wayOut)
    } catch (error) {
      failed.current = true
      const field = fieldToBlame(error)
      if (!field) return
      const { type, message } = error as ApiError
      form.setError(field, { message: sentences?.[type] ?? message }, { shouldFocus: true })
    }
  })

  /** Ignores a second Enter, which can come before the next render disables the button. */
  async function submit(event?: FormEvent) {
    event?.preventDefault()
    if (underWay.current) return
    underWay.current = true
    try {
      await waitForChosenImages()
      await save(event)
    } finally {
      underWay.current = false
    }
  }

  /** Shows the server's errors at the image. An upload without a response is retried on saving. */
  async function uploadAhead(file: File) {
    try {
      await (upload.beginSoon ?? upload.begin)(file)
    } catch (error) {
      if (fieldToBlame(error) === picture) form.setError(picture, { message: (error as ApiError).message })
    }
  }

  const picking: FormImagePicking<Upload> = {
    upload,
    onResume: (file) => void (failed.current ? submit() : uploadAhead(file)),
    handlers: (take) => ({
      onChoose(file) {
        refused.current = undefined
        form.clearErrors(picture)
        take(file)
        void uploadAhead(file)
      },
      onRefuse(message) {
        refused.current = message
        form.setError(picture, { message })
      },
    }),
  }

  return { ...form, errors, saving, guard, submit, picking }
}
