import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changeUsernameEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { settingsQueryKeys } from '#web/api/query-keys.ts'
import { signedInMemberQuery, useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { getReservedNameMessage } from '#web/features/people/reserved-name-message.ts'
import { formatMonthDay } from '#web/format-time.ts'
import { LabelledFormField, TextInput } from '#web/forms/labelled-form-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { accountSettingsQuery } from './account-security-queries.ts'
import { ReauthenticationCancelled, useReauthentication } from './use-reauthentication.tsx'

export function ChangeUsernameForm() {
  const me = useSignedInMember()
  const client = useQueryClient()
  const { data } = useQuery(accountSettingsQuery)
  const { dialog, withReauthentication } = useReauthentication('strongest')
  const [typed, setTyped] = useState<string>()
  const change = useMutation({
    mutationFn: (username: string) =>
      withReauthentication(() => callApiOperation(changeUsernameEndpoint, { username })),
    onSuccess: ({ username }) => {
      client.setQueryData(signedInMemberQuery.queryKey, (before) => before && { ...before, username })
      toast({ text: en(`Your username is now @${username}`, `Tu nombre de usuaria es ahora @${username}`) })
      setTyped(undefined)
      return client.invalidateQueries({ queryKey: settingsQueryKeys.all })
    },
  })
  const username = typed ?? me.username
  const until = data?.usernameFixedUntil

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!change.isPending && username !== me.username) change.mutate(username.trim())
  }

  return (
    <section aria-label={en('Username', 'Nombre de usuaria')} className="card mt-4 p-5">
      <h2 className="heading text-lead">{en('Username', 'Nombre de usuaria')}</h2>
      <p className="mt-1 mb-3.5 text-pretty text-label text-text-2">
        {en(
          'Links to your profile keep working. Nobody else can take your old username for 30 days.',
          'Los enlaces a tu perfil siguen funcionando. Nadie más puede usar tu nombre anterior durante 30 días.',
        )}
      </p>
      <form onSubmit={submit} noValidate>
        <LabelledFormField
          label={en('Username', 'Nombre de usuaria')}
          hint={en(
            'Letters, digits, dot, hyphen and underscore. 2 to 30. You can change it once every 14 days.',
            'Letras, números, punto, guion y guion bajo. De 2 a 30. Puedes cambiarlo una vez cada 14 días.',
          )}
          error={describeFailure(change.error, until)}
        >
          {(control) => (
            <TextInput
              {...control}
              name="username"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={username}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </LabelledFormField>
        <Button
          type="submit"
          className="mt-4"
          disabled={username === me.username}
          busy={change.isPending}
          busyLabel={en('Changing...', 'Cambiando...')}
        >
          {en('Change username', 'Cambiar el nombre de usuaria')}
        </Button>
      </form>
      {dialog}
    </section>
  )
}

function describeFailure(error: Error | null, until: string | null | undefined): string | undefined {
  if (error === null || error instanceof ReauthenticationCancelled) return undefined
  if (!(error instanceof ApiError)) return genericErrorMessage
  if (error.type === 'username_too_soon')
    return until
      ? en(
          `You can change it again on ${formatMonthDay(new Date(until))}`,
          `Puedes volver a cambiarlo el ${formatMonthDay(new Date(until))}`,
        )
      : en('You can change it once every 14 days.', 'Puedes cambiarlo una vez cada 14 días.')
  if (error.type === 'user_username_already_exists')
    return en('This username is taken.', 'Ese nombre de usuaria ya está en uso.')
  if (error.type === 'user_name_reserved') return getReservedNameMessage()
  return error.code === 400 ? error.message : genericErrorMessage
}
