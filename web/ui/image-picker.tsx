import { ImageUp } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { ChosenPicture } from './chosen-picture.tsx'
import { classes } from './classes.ts'
import type { SizeBounds } from './image-rules.ts'
import { useImageDrop } from './use-image-drop.ts'
import { useObjectUrl } from './use-object-url.ts'

type Props = SizeBounds & {
  id: string
  /** The chosen file; without one, the picture that is there already. */
  file: File | null
  currentUrl?: string
  onChoose: (file: File) => void
  /** Told why a file was not taken; the one chosen before stays. */
  onRefuse: (reason: string) => void
  disabled?: boolean
  'aria-invalid'?: boolean
  'aria-describedby'?: string
  /** Lies over the foot of the picture in place of the words about replacing it. */
  children?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

export function ImagePicker(props: Props) {
  const { id, file, currentUrl, disabled, children, ref } = props
  const preview = useObjectUrl(file) ?? currentUrl
  const refused = useRef(false)
  const { getRootProps, getInputProps, isDragActive } = useImageDrop({
    ...props,
    onRefuse(reason) {
      refused.current = true
      props.onRefuse(reason)
    },
  })
  // The reason stands under the area, on a phone below the edge.
  useEffect(() => {
    if (refused.current) document.getElementById(`${id}-error`)?.scrollIntoView({ block: 'nearest' })
    refused.current = false
  })
  return (
    <div
      {...getRootProps({
        role: 'presentation',
        // Of the library's own making: it would also switch off what lies over the picture.
        'aria-disabled': undefined,
      })}
      className={classes(
        'relative flex size-full min-h-[296px] cursor-pointer flex-col items-center justify-center overflow-hidden rounded-card text-center',
        !preview && 'border-2 px-6 py-9 text-text-2',
        !preview && (isDragActive ? 'border-solid border-brand bg-brand-soft' : 'border-dashed bg-surface'),
        !isDragActive && (props['aria-invalid'] ? 'border-danger' : 'border-border-control'),
        disabled && 'cursor-not-allowed',
      )}
    >
      {/* The field's label names it, in place of the library's own words. */}
      <input {...getInputProps({ id, 'aria-label': undefined, 'aria-invalid': props['aria-invalid'] })} />
      {preview ? (
        <ChosenPicture
          url={preview}
          fileName={file?.name}
          className={classes('absolute inset-0 size-full', isDragActive && 'opacity-60')}
        />
      ) : (
        <div>
          <ImageUp aria-hidden size={44} strokeWidth={1.7} className="mx-auto text-brand" />
          <p className="mt-3 text-[1.125rem] leading-6 font-[680] text-text">Drag photo here</p>
          <p className="mt-1">SVG, PNG, JPG</p>
        </div>
      )}
      {preview && children ? (
        <div className="absolute inset-x-3.5 bottom-3.5">{children}</div>
      ) : (
        <button
          ref={ref}
          type="button"
          disabled={disabled}
          aria-describedby={props['aria-describedby']}
          // With the focus on it, what is said under the area is in sight too.
          style={{ scrollMarginBottom: 208 }}
          className={classes(
            'min-h-11 rounded-full px-5 focus-visible:rounded-full',
            preview
              ? 'absolute inset-x-3.5 bottom-3.5 bg-overlay text-label font-semibold text-on-overlay'
              : 'mt-4 bg-brand-soft font-[650] text-brand-text hover:bg-brand-soft-hover',
          )}
        >
          {preview ? 'Click or drag photo to replace' : 'Select from computer'}
        </button>
      )}
    </div>
  )
}
