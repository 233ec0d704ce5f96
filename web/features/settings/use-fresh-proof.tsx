import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { proveIdentityRoute } from '#contract/generated-routes.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { LabelledFormField, PasswordInput } from '#web/forms/labelled-form-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Modal } from '#web/ui/modal.tsx'

/** The member gave up showing that the account is theirs. */
export class ProofCancelled extends Error {}

/**
 * Runs calls that need a fresh proof: where the server asks for one, a dialog does, and the call is made again.
 * @returns the dialog to render, and `withProof`, which rejects with `ProofCancelled` where the dialog was closed
 */
export function useFreshProof(): { dialog: ReactNode; withProof: <T>(call: () => Promise<T>) => Promise<T> } {
  const [settle, setSettle] = useState<(proved: boolean) => void>()
  const ask = () => new Promise<boolean>((resolve) => setSettle(() => resolve))

  async function withProof<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError && error.type === 'user_challenge_required')) throw error
    }
    if (!(await ask())) throw new ProofCancelled()
    return call()
  }

  function close(proved: boolean) {
    settle?.(proved)
    setSettle(undefined)
  }

  return { dialog: <ProofDialog open={settle !== undefined} onClose={close} />, withProof }
}

type DialogProps = { open: boolean; onClose: (proved: boolean) => void }

function ProofDialog({ open, onClose }: DialogProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  return (
    <Modal
      open={open}
      role="dialog"
      labelledBy={`${id}-title`}
      describedBy={`${id}-text`}
      firstFocus={field}
      onClose={() => onClose(false)}
    >
      <div className="p-7">
        <h2 id={`${id}-title`} className="heading text-[1.375rem] leading-7">
          Show that it is you
        </h2>
        <p id={`${id}-text`} className="mt-2 mb-6 text-pretty text-text-2">
          It has been a while since you signed in. Then we don’t ask again for 15 minutes.
        </p>
        {open && <ProofForm field={field} onClose={onClose} />}
      </div>
    </Modal>
  )
}

type FormProps = { field: React.RefObject<HTMLInputElement | null>; onClose: DialogProps['onClose'] }

function ProofForm({ field, onClose }: FormProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function prove(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const password = String(new FormData(event.currentTarget).get('password'))
    setBusy(true)
    try {
      await callApiOperation(proveIdentityRoute, { password })
      onClose(true)
    } catch (error) {
      setFailure(wordsOf(error))
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={prove} noValidate>
      <LabelledFormField label="Password" error={failure}>
        {(control) => (
          <PasswordInput {...control} ref={field} name="password" autoComplete="current-password" />
        )}
      </LabelledFormField>
      <div className="mt-6 flex justify-end gap-2.5 max-md:flex-col-reverse">
        <Button kind="ghost" onClick={() => onClose(false)}>
          Cancel
        </Button>
        <Button type="submit" busy={busy}>
          Continue
        </Button>
      </div>
    </form>
  )
}

function wordsOf(error: unknown): string {
  const code = error instanceof ApiError ? error.code : 0
  if (code === 401) return 'That is not your password.'
  if (code === 429) return 'Too many attempts. Try again in a while.'
  return 'Something went wrong. Please try again.'
}
