/** After a refusal, the previous image stays. */

import { ImageUp } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { en } from '#contract/language.ts'
import { cx } from '../cx.ts'
import { type FileSizeBounds, useImageDrop } from './accept-images.ts'
import { ImagePreview } from './image-preview.tsx'
import { useObjectUrl } from './use-object-url.ts'

type Props = FileSizeBounds & {
  id: string
  file: File | null
  currentUrl?: string
  /** Whether to accept HEIC, HEIF and AVIF. */
  convertible?: boolean
  standIn?: ReactNode
  /** The maximum number of files; one by default. */
  room?: number
  onChoose: (file: File) => void
  onRefuse: (reason: string) => void
  disabled?: boolean
  'aria-invalid'?: boolean
  'aria-describedby'?: string
  children?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function ImagePicker(props: Props) {
  const { id, file, currentUrl, standIn, disabled, children, ref } = props
  const preview = useObjectUrl(file) ?? currentUrl
  const shows = preview !== undefined || standIn !== undefined
  const refused = useRef(false)
  const { getRootProps, getInputProps, isDragActive } = useImageDrop({
    ...props,
    onRefuse(reason) {
      refused.current = true
      props.onRefuse(reason)
    },
  })
  // The reason below the picker may be outside a phone's screen.
  useEffect(() => {
    if (refused.current) document.getElementById(`${id}-error`)?.scrollIntoView({ block: 'nearest' })
    refused.current = false
  })
  return (
    <div
      {...getRootProps({
        role: 'presentation',
        // The library's `aria-disabled` would also disable the buttons over the image.
        'aria-disabled': undefined,
      })}
      className={cx(
        'relative flex size-full min-h-[220px] cursor-pointer md:min-h-[296px] flex-col items-center justify-center overflow-hidden rounded-card text-center',
        !shows && 'border-2 px-6 py-5 text-text-2 md:py-9',
        !shows && (isDragActive ? 'border-solid border-brand bg-brand-soft' : 'border-dashed bg-surface'),
        !isDragActive && (props['aria-invalid'] ? 'border-danger' : 'border-border-control'),
        disabled && 'cursor-not-allowed',
      )}
    >
      {/* The field's own label replaces the library's text. */}
      <input {...getInputProps({ id, 'aria-label': undefined, 'aria-invalid': props['aria-invalid'] })} />
      {standIn ??
        (preview ? (
          <ImagePreview
            url={preview}
            fileName={file?.name}
            className={cx('absolute inset-0 size-full', isDragActive && 'opacity-60')}
          />
        ) : (
          <div>
            <ImageUp aria-hidden size={44} strokeWidth={1.7} className="mx-auto text-brand" />
            <p className="mt-3 text-[1.125rem] leading-[1.5rem] font-[680] text-text">
              <Words
                wide={en('Drag photo here', 'Arrastra aquí la foto')}
                narrow={en('Add a photo', 'Añadir una foto')}
              />
            </p>
            <p className="mt-1">
              <Words wide="SVG, PNG, JPG" narrow={en('PNG or JPG', 'PNG o JPG')} />
            </p>
          </div>
        ))}
      {shows && children && <div className="absolute inset-x-3.5 top-3.5">{children}</div>}
      <button
        ref={ref}
        type="button"
        disabled={disabled}
        aria-describedby={props['aria-describedby']}
        // Leaves room for the message below the picker when the browser scrolls here.
        style={{ scrollMarginBottom: 208 }}
        className={cx(
          'min-h-11 rounded-full px-5 focus-visible:rounded-full',
          shows
            ? 'absolute inset-x-3.5 bottom-3.5 bg-overlay text-label font-semibold text-on-overlay'
            : 'mt-4 bg-brand-soft font-[650] text-brand-text hover:bg-brand-soft-hover',
        )}
      >
        {shows ? (
          <Words
            wide={en('Click or drag photo to replace', 'Haz clic o arrastra una foto para reemplazarla')}
            narrow={en('Replace photo', 'Reemplazar la foto')}
          />
        ) : (
          <Words
            wide={en('Select from computer', 'Elegir del ordenador')}
            narrow={en('Choose a photo', 'Elegir una foto')}
          />
        )}
      </button>
    </div>
  )
}

/** Nothing can be dragged on a phone, so its text is shorter. Screen readers always read the long one. */
function Words({ wide, narrow }: { wide: string; narrow: string }) {
  return (
    <>
      <span className="max-md:sr-only">{wide}</span>
      <span aria-hidden="true" data-generated={narrow} className="md:hidden" />
    </>
  )
}
