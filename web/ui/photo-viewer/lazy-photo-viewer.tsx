import { type ComponentProps, useRef } from 'react'
import { en } from '#contract/language.ts'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { Modal } from '../modal.tsx'
import { Spinner } from '../spinner.tsx'
import type { PhotoViewer } from './photo-viewer.tsx'

const Viewer = lazyPart(async () => (await import('./photo-viewer.tsx')).PhotoViewer)

export function LazyPhotoViewer({ onClose, ...props }: ComponentProps<typeof PhotoViewer>) {
  const closed = useRef(false)
  // Going back twice would leave the page.
  function closeOnce() {
    if (closed.current) return
    closed.current = true
    onClose()
  }
  return (
    <Viewer
      {...props}
      onClose={closeOnce}
      fallback={
        <Modal open role="dialog" labelledBy="photo-viewer-loading" onClose={closeOnce}>
          <p id="photo-viewer-loading" className="sr-only">
            {en('Loading photo', 'Cargando la foto')}
          </p>
          <Spinner className="mx-auto my-4 size-8 border-border border-t-brand" />
        </Modal>
      }
    />
  )
}
