/**
 * Runs a form. Asks before unsaved changes are dropped, keeps everything if saving fails, and shows the server's
 * message at the field that caused the error.
 */
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type FormEvent, useRef } from 'react'
import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError } from '../api/client.ts'
import { type FormDraftKeeper, useUnsavedChangesGuard } from '../navigation/use-unsaved-changes-guard.tsx'
import type { ImageUpload } from './use-image-upload.ts'

/**
 * Saves the form's values. Resolves with the navigation that leaves the form, or with undefined to stay. Rejects if
 * saving fails.
 */
export type FormSaveHandler<Values> = (values: Values) => Promise<(() => void) | undefined>

type Uploader = {
  begin: (file: File) => Promise<unknown>
  /** Starts the upload after a short delay, in which the member may still change their mind. */
  beginSoon?: (file: File) => Promise<unknown>
}

type Rules<Draft, Values, Upload> = {
  /** The schema that validates the draft and transforms it for saving. */
  draft: z.ZodMiniType<Values, Draft>
  initial: Draft
  onSave: FormSaveHandler<Values>
  /** The field of the image, which shows upload errors. */
  picture: Path<Draft & FieldValues>
  /** Uploads the image as soon as the member chooses it. */
  upload: Upload
  /** Returns the field that caused an error, if the error does not name the field. */
  blame?: (refusal: ApiError) => Path<Draft & FieldValues> | undefined
  /** Messages by error type. They replace server messages that are in another language than the page. */
  sentences?: Partial<Record<string, string>>
  /** Stores unsaved drafts. */
  keeper?: FormDraftKeeper
}

/** The image chosen in a form: its upload, and the `handlers` for a picker. */
export type FormImagePicking<Upload = ImageUpload> = {
  upload: Upload
  /** Resumes an interrupted upload. If the member had already tried to save, saves afterwards. */
  onResume: (file: File) => void
  /** @param take adds an accepted file to the form */
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
    /** If the image is missing because the chosen image was refused, the field shows the reason for the refusal. */
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

  /**
   * Allows only one submission at a time. The button is disabled only after the next render, and a second Enter can
   * arrive before that.
   */
  async function submit(event?: FormEvent) {
    event?.preventDefault()
    if (underWay.current) return
    underWay.current = true
    try {
      await save(event)
    } finally {
      underWay.current = false
    }
  }

  /**
   * Uploads the image before the form is saved, and shows the server's errors at the image. An upload without an answer
   * is retried on saving.
   */
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
