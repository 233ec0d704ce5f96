import type { ReactNode, Ref } from 'react'
import { type Control, Controller, type FieldValues, type Path } from 'react-hook-form'
import { en } from '#contract/language.ts'
import { explainImageRefusal } from '#web/ui/images/accept-images.ts'
import { ImagePicker } from '#web/ui/images/image-picker.tsx'
import { UploadProgress } from '#web/ui/images/upload-progress.tsx'
import { LabelledFormField } from './labelled-form-field.tsx'
import type { FormImagePicking } from './use-edit-form.ts'

type Picker = ReturnType<FormImagePicking['handlers']> & {
  id: string
  ref: Ref<HTMLButtonElement>
  file: File | null
  disabled: boolean
}

type Props<Draft extends FieldValues, Values> = {
  control: Control<Draft, unknown, Values>
  name: Path<Draft>
  error: string | undefined
  currentUrl?: string
  disabled: boolean
  picking: FormImagePicking
  className?: string
  /** Replaces the default picker and places the progress. */
  children?: (picker: Picker, progress: ReactNode) => ReactNode
}

export function PhotoField<Draft extends FieldValues, Values>(props: Props<Draft, Values>) {
  const { control, name, error, currentUrl, disabled, picking, className, children } = props
  const { upload, onResume, handlers } = picking
  return (
    <LabelledFormField label={en('Photo', 'Foto')} error={error} plainError={explainImageRefusal(error)}>
      {(field) => (
        <Controller
          control={control}
          name={name}
          render={({ field: { ref, value, onChange } }) => {
            const file = (value as unknown) instanceof File ? (value as File) : null
            const progress = file && upload.state.phase !== 'idle' && (
              <UploadProgress {...upload.state} onResume={() => onResume(file)} onCancel={upload.cancel} />
            )
            const picker = { ...field, ref, file, disabled, ...handlers(onChange) }
            if (children) return <>{children(picker, progress)}</>
            return (
              <div className={className}>
                <ImagePicker {...picker} currentUrl={currentUrl}>
                  {progress}
                </ImagePicker>
              </div>
            )
          }}
        />
      )}
    </LabelledFormField>
  )
}
