/** The member can choose, paste or drop photos. */

import { ImagePlus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { en } from '#contract/language.ts'
import { maxAltTextLength, maxMessagePhotos } from '#contract/limits.ts'
import { IconButton } from '#web/ui/button.tsx'
import {
  acceptImages,
  explainImageRefusal,
  imageAcceptAttribute,
  pastedFiles,
  tooManyFilesMessage,
} from '#web/ui/images/accept-images.ts'
import { damagedPhotoMessage, PhotoConversionError } from '#web/ui/images/photo-conversion-error.ts'
import { preparePhoto } from '#web/ui/images/prepare-photo.ts'
import { useObjectUrl } from '#web/ui/images/use-object-url.ts'
import {
  type MessageDraftPhoto,
  readMessageDraftPhotos,
  saveMessageDraftPhotos,
  toMessageDraftPhoto,
} from './message-draft-photos.ts'

export function useAddPhotos(draft: string, enabled: boolean) {
  const [refusal, setRefusal] = useState<string>()
  const [preparing, setPreparing] = useState(0)
  const prepared = useRef(Promise.resolve())

  async function append(file: File) {
    try {
      const photo = (await preparePhoto(file)) ?? file
      const before = readMessageDraftPhotos(draft)
      if (before.length < maxMessagePhotos)
        saveMessageDraftPhotos(draft, [...before, toMessageDraftPhoto(photo)])
      else setRefusal(tooManyFilesMessage)
    } catch (error) {
      setRefusal(error instanceof PhotoConversionError ? error.message : damagedPhotoMessage)
    }
  }

  async function prepare(work: Promise<void>) {
    setPreparing((count) => count + 1)
    await work.finally(() => setPreparing((count) => count - 1))
  }

  const add = useRef((_files: readonly File[]) => {})
  add.current = (files) => {
    setRefusal(undefined)
    const checked = acceptImages(files, {
      room: maxMessagePhotos - readMessageDraftPhotos(draft).length,
      convertible: true,
      onChoose(file) {
        prepared.current = prepared.current.then(() => append(file))
        void prepare(prepared.current)
      },
      onRefuse: setRefusal,
    })
    void prepare(checked)
  }
  useEffect(() => {
    if (!enabled) return
    const take = (event: Event, files: readonly File[]) => {
      if (files.length === 0) return
      event.preventDefault()
      add.current(files)
    }
    const paste = (event: ClipboardEvent) => take(event, pastedFiles(event))
    const drop = (event: DragEvent) => take(event, [...(event.dataTransfer?.files ?? [])])
    // Otherwise the browser would open the dropped file.
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    document.addEventListener('paste', paste)
    document.addEventListener('drop', drop)
    document.addEventListener('dragover', over)
    return () => {
      document.removeEventListener('paste', paste)
      document.removeEventListener('drop', drop)
      document.removeEventListener('dragover', over)
    }
  }, [enabled])
  return {
    add: (files: readonly File[]) => add.current(files),
    refusal,
    isPreparing: preparing > 0,
    forgetRefusal: () => setRefusal(undefined),
  }
}

export function AddPhotosButton({ onAdd }: { onAdd: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={imageAcceptAttribute()}
        aria-label={en('Photos', 'Fotos')}
        onChange={({ currentTarget }) => {
          onAdd([...(currentTarget.files ?? [])])
          // Lets the member choose a removed photo again.
          currentTarget.value = ''
        }}
      />
      <IconButton
        label={en('Add photos', 'Añadir fotos')}
        className="flex-none text-brand md:mb-1"
        // Keeps an on-screen keyboard open until the photo picker opens.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => input.current?.click()}
      >
        <ImagePlus aria-hidden size={22} strokeWidth={1.9} />
      </IconButton>
    </>
  )
}

type Props = {
  draft: string
  photos: readonly MessageDraftPhoto[]
  refusal: string | undefined
  isPreparing: boolean
  onChange: () => void
}

export function ComposerPhotos({ draft, photos, refusal, isPreparing, onChange }: Props) {
  const list = useRef<HTMLUListElement>(null)
  function save(next: readonly MessageDraftPhoto[]) {
    saveMessageDraftPhotos(draft, next)
    onChange()
  }
  function remove(at: number) {
    save(photos.filter((_, other) => other !== at))
    // Focuses another photo, or the text field if none is left.
    requestAnimationFrame(() => {
      const left = list.current?.querySelectorAll('button')
      const next =
        left?.[Math.min(at, left.length - 1)] ?? document.querySelector<HTMLElement>('[data-composer]')
      next?.focus()
    })
  }
  return (
    <>
      {photos.length > 0 && (
        <ul
          ref={list}
          aria-label={en('Photos of this message', 'Fotos de este mensaje')}
          className="mb-2 grid gap-2 md:grid-cols-2"
        >
          {photos.map((photo, at) => (
            <li
              key={photo.key}
              className="flex min-w-0 items-center gap-2.5 rounded-input bg-sunken p-1.5 forced-colors:border"
            >
              <Thumbnail file={photo.file} />
              <input
                aria-label={en(`Describe photo ${at + 1}`, `Describe la foto ${at + 1}`)}
                placeholder={en('Describe it', 'Descríbela')}
                value={photo.alt}
                maxLength={maxAltTextLength}
                onChange={({ target }) =>
                  save(photos.map((one) => (one.key === photo.key ? { ...one, alt: target.value } : one)))
                }
                className="min-h-11 min-w-0 flex-1 rounded-input bg-transparent px-1.5 text-label"
              />
              <IconButton
                label={en(`Remove photo ${at + 1}`, `Quitar la foto ${at + 1}`)}
                onClick={() => remove(at)}
              >
                <X aria-hidden size={20} strokeWidth={2} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="text-meta text-text-2 not-empty:mb-2">
        {isPreparing && en('Preparing your photo…', 'Preparando tu foto…')}
      </p>
      {refusal && (
        <p role="alert" className="mb-2 text-meta font-[620] text-danger">
          {refusal === tooManyFilesMessage
            ? en(
                `${tooManyFilesMessage}: a message can have up to four photos.`,
                `${tooManyFilesMessage}: un mensaje puede llevar hasta cuatro fotos.`,
              )
            : (explainImageRefusal(refusal) ?? refusal)}
        </p>
      )}
    </>
  )
}

function Thumbnail({ file }: { file: File }) {
  const url = useObjectUrl(file)
  return url ? (
    <img src={url} alt="" className="size-11 flex-none rounded-[10px] object-cover" />
  ) : (
    <span className="size-11 flex-none rounded-[10px] bg-border" />
  )
}
