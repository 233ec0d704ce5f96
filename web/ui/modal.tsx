import { X } from 'lucide-react'
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { en } from '#contract/language.ts'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'

type Props = {
  open: boolean
  /** Use `alertdialog` for questions and `dialog` for everything else. */
  role: 'dialog' | 'alertdialog'
  labelledBy: string
  describedBy?: string
  /** This element receives the focus first. By default the browser chooses. */
  firstFocus?: RefObject<HTMLElement | null>
  onClose: () => void
  className?: string
  style?: CSSProperties
  children: ReactNode
}

/** The native element traps the focus, returns it on closing, and needs no inline styles. */
export function Modal(props: Props) {
  const { open, role, labelledBy, describedBy, firstFocus, onClose, className, style, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const isPressed = useRef(false)

  // A dialog returns the focus only while in the document, so it closes before React removes it.
  useLayoutEffect(() => {
    const shown = dialog.current
    if (!open || !shown) return
    shown.showModal()
    firstFocus?.current?.focus()
    return () => shown.close()
  }, [open, firstFocus])

  useEffect(() => {
    const shown = dialog.current
    const press = (event: MouseEvent) => {
      isPressed.current = event.target === shown
    }
    // The browser reports a drag from inside to the backdrop as a click on the backdrop.
    const clickScrim = (event: MouseEvent) => isPressed.current && event.target === shown && onClose()
    shown?.addEventListener('mousedown', press)
    shown?.addEventListener('click', clickScrim)
    return () => {
      shown?.removeEventListener('mousedown', press)
      shown?.removeEventListener('click', clickScrim)
    }
  }, [onClose])

  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      style={style}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className={cx(
        // Resets the font inherited from the element that opens the dialog.
        'm-auto w-[min(420px,calc(100%-32px))] rounded-dialog bg-surface text-body font-normal text-text shadow-over backdrop:bg-scrim open:animate-fade',
        'max-md:mb-0 max-md:w-full max-md:max-w-full max-md:rounded-b-none max-md:pb-[env(safe-area-inset-bottom)]',
        className,
      )}
    >
      {children}
    </dialog>
  )
}

type ListProps = { title: string; open: boolean; onClose: () => void; children: ReactNode }

export function ListDialog({ title, open, onClose, children }: ListProps) {
  const titleId = useId()
  const close = useRef<HTMLButtonElement>(null)
  return (
    <Modal
      open={open}
      role="dialog"
      labelledBy={titleId}
      firstFocus={close}
      onClose={onClose}
      className="w-[min(520px,calc(100%-32px))]"
    >
      <header className="flex items-center justify-between gap-3 pt-5 pr-4 pl-7">
        <h2 id={titleId} className="heading text-[1.375rem] leading-[1.75rem]">
          {title}
        </h2>
        <IconButton ref={close} label={en('Close', 'Cerrar')} onClick={onClose}>
          <X aria-hidden size={20} strokeWidth={2} />
        </IconButton>
      </header>
      <div className="max-h-[min(60dvh,520px)] overflow-y-auto px-4 pt-2 pb-5 md:px-5">
        {open && children}
      </div>
    </Modal>
  )
}
