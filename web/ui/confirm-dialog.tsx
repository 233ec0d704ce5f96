import { type ReactNode, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { Modal } from './modal.tsx'

type ConfirmDialogProps = {
  open: boolean
  title: string
  text: string
  confirm: string
  cancel: string
  onConfirm: () => void
  onCancel: () => void
  danger?: boolean
  /** An option between confirming and cancelling. It must not lose data. */
  alternative?: { label: string; run: () => void }
  busy?: boolean
  children?: ReactNode
}

/**
 * Use this for actions that cannot be undone. Escape, a click on the backdrop and the initially focused
 * button all cancel.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, text, confirm, cancel, onConfirm, onCancel, danger, alternative, busy, children } =
    props
  const safe = useRef<HTMLButtonElement>(null)
  const id = useId()
  return (
    <Modal
      open={open}
      role="alertdialog"
      labelledBy={`${id}-title`}
      describedBy={`${id}-text`}
      firstFocus={safe}
      onClose={onCancel}
    >
      <div className="p-7">
        <h2 id={`${id}-title`} className="heading text-[1.375rem] leading-[1.75rem] wrap-anywhere">
          {title}
        </h2>
        <p id={`${id}-text`} className="mt-2 mb-6 text-pretty text-text-2">
          {text}
        </p>
        {children}
        <div className="flex justify-end gap-2.5 max-md:flex-col-reverse">
          <Button ref={safe} kind="ghost" onClick={onCancel}>
            {cancel}
          </Button>
          {alternative && (
            <Button className="max-md:order-2" onClick={alternative.run}>
              {alternative.label}
            </Button>
          )}
          <Button
            kind={alternative ? 'outline' : danger ? 'danger' : 'primary'}
            busy={busy}
            onClick={onConfirm}
          >
            {confirm}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
