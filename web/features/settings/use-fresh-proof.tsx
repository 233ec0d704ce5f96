/** Runs calls that need a fresh proof of who the member is, and asks for it in a dialog. */
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { proveIdentityEndpoint } from '#contract/generated-endpoints.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { LabelledFormField, PasswordInput, TextInput } from '#web/forms/labelled-form-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Modal } from '#web/ui/modal.tsx'

/** The member gave up showing that the account is theirs. */
export class ProofCancelled extends Error {}

/**
 * Runs calls that need a fresh proof: where the server asks for one, a dialog does, and the call is made again.
 * @param options.byCode asks for a code of the second step, which changes of it need
 * @returns the dialog to render, and `withProof`, which rejects with `ProofCancelled` where the dialog was closed
 */
export function useFreshProof({ byCode = false }: { byCode?: boolean } = {}): {
  dialog: ReactNode
  withProof: <T>(call: () => Promise<T>) => Promise<T>
} {
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

  return { dialog: <ProofDialog open={settle !== undefined} byCode={byCode} onClose={close} />, withProof }
}

type DialogProps = { open: boolean; byCode: boolean; onClose: (proved: boolean) => void }

function ProofDialog({ open, byCode, onClose }: DialogProps) {
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
        {open && <ProofForm field={field} byCode={byCode} onClose={onClose} />}
      </div>
    </Modal>
  )
}

type FormProps = {
  field: React.RefObject<HTMLInputElement | null>
  byCode: boolean
  onClose: DialogProps['onClose']
}

function ProofForm({ field, byCode, onClose }: FormProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function prove(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const given = String(new FormData(event.currentTarget).get('proof'))
    setBusy(true)
    try {
      await callApiOperation(proveIdentityEndpoint, byCode ? { code: given.trim() } : { password: given })
      onClose(true)
    } catch (error) {
      setFailure(describeProofFailure(error, byCode))
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={prove} noValidate>
      {byCode ? (
        <LabelledFormField label="Code" hint="Of your app, or a recovery code." error={failure}>
          {(control) => <TextInput {...control} ref={field} name="proof" autoComplete="one-time-code" />}
        </LabelledFormField>
      ) : (
        <LabelledFormField label="Password" error={failure}>
          {(control) => (
            <PasswordInput {...control} ref={field} name="proof" autoComplete="current-password" />
          )}
        </LabelledFormField>
      )}
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

function describeProofFailure(error: unknown, byCode: boolean): string {
  const code = error instanceof ApiError ? error.code : 0
  if (byCode && (code === 401 || code === 400))
    return 'That code doesn’t match. Check that your phone’s clock is right.'
  if (code === 401) return 'That is not your password.'
  if (code === 429) return 'Too many attempts. Try again in a while.'
  return 'Something went wrong. Please try again.'
}
