import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { unlockModerationEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { getErrorMessage } from '#web/api/error-message.ts'
import { moderationQueryKeys } from '#web/api/query-keys.ts'
import { useOperatorMutation } from '#web/features/admin/use-operator-mutation.ts'
import { LabelledFormField, PasswordInput } from '#web/forms/labelled-form-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'

/**
 * Loaded content stays mounted, because it may contain an unsent reason.
 * @param props.interrupts replaces content that has the focus
 */
export function ModeratorPasswordForm({ interrupts = false }: { interrupts?: boolean }) {
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const entering = useOperatorMutation({
    mutationFn: () => callApiOperation(unlockModerationEndpoint, password ? { password } : {}),
    onSuccess: () => client.invalidateQueries({ queryKey: moderationQueryKeys.all }),
  })
  useEffect(() => {
    if (interrupts) input.current?.focus()
  }, [interrupts])
  const refused = getErrorMessage(entering.error)
  function enter(event: FormEvent) {
    event.preventDefault()
    entering.mutate()
  }
  return (
    <div className="mx-auto max-w-[720px]">
      <div className="mx-1 mb-4.5 md:mx-0">
        <PageTitle title={en('Moderation', 'Moderación')} />
      </div>
      {entering.dialog}
      <form onSubmit={enter} className="card space-y-5 p-5 md:p-7">
        <p className="text-pretty text-text-2">
          {en(
            'Confirm your password to moderate for 30 minutes.',
            'Confirma tu contraseña para moderar durante 30 minutos.',
          )}
        </p>
        <LabelledFormField
          label={en('Password', 'Contraseña')}
          hint={en('Leave it empty if your account has none.', 'Déjala vacía si tu cuenta no tiene.')}
          error={entering.isError ? refused.text : undefined}
          errorLang={refused.textLang}
        >
          {(field) => (
            <PasswordInput
              {...field}
              ref={input}
              autoComplete="current-password"
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          )}
        </LabelledFormField>
        <Button type="submit" busy={entering.isPending}>
          {en('Enter', 'Entrar')}
        </Button>
      </form>
    </div>
  )
}
