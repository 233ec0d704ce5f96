import { CircleUserRound } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isProviderProblem, providerProblems } from '#contract/account/provider-problems.ts'
import type { getAccountSettingsEndpoint } from '#contract/generated-endpoints.ts'
import { en, es } from '#contract/language.ts'
import type { OperationOutput } from '#contract/operation.ts'
import {
  SettingsActionButton,
  SettingsBox,
  SettingsRow,
} from '#web/features/account/settings/settings-box-and-rows.tsx'
import { useReauthentication } from '#web/features/account/settings/use-reauthentication.tsx'
import { fillInCommunityName, useCommunityName } from '#web/navigation/community-identity.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { useConfirm } from '#web/ui/use-confirm.tsx'
import { useConnectProvider, useDisconnectIdentity } from './connected-account-mutations.ts'

type Settings = Pick<OperationOutput<typeof getAccountSettingsEndpoint>, 'identities' | 'providers'>

export function ConnectedAccounts({ identities, providers }: Settings) {
  const community = useCommunityName()
  const problem = useReturnFromProvider(providers)
  const { dialog, withReauthentication } = useReauthentication('strongest')
  const box = useRef<HTMLDivElement>(null)
  const connect = useConnectProvider(withReauthentication)
  const disconnect = useDisconnectIdentity(withReauthentication, () => box.current?.focus())
  const labelOf = (name: string) => providers.find((provider) => provider.name === name)?.label ?? name
  const question = useConfirm({
    title: en('Disconnect this account?', '¿Desconectar esta cuenta?'),
    text: en('You won’t be able to sign in with it.', 'Ya no podrás entrar con ella.'),
    confirm: en('Disconnect', 'Desconectar'),
    cancel: en('Cancel', 'Cancelar'),
  })
  const isConnected = (name: string) => identities.some(({ provider, usable }) => provider === name && usable)
  const unconnected = providers.filter(({ name }) => !isConnected(name))
  if (identities.length === 0 && providers.length === 0) return null

  async function askToDisconnect(identityId: string) {
    if (await question.ask()) disconnect.mutate(identityId)
  }

  return (
    <div ref={box} tabIndex={-1} className="outline-none">
      <SettingsBox
        title={en('Sign in with other accounts', 'Entrar con otras cuentas')}
        text={en(
          `You can sign in to ${community} with an account that you connect here.`,
          `Puedes entrar en ${community} con una cuenta que conectes aquí.`,
        )}
      >
        {identities.map(({ $id, provider, email, usable }) => (
          <ProviderRow
            key={$id}
            label={labelOf(provider)}
            text={usable ? email || en('Connected', 'Conectada') : describeUnusable(email)}
            connected={usable}
          >
            <SettingsActionButton
              label={en(`Disconnect ${labelOf(provider)}`, `Desconectar ${labelOf(provider)}`)}
              danger
              busy={disconnect.isPending && disconnect.variables === $id}
              onClick={() => askToDisconnect($id)}
            >
              {en('Disconnect', 'Desconectar')}
            </SettingsActionButton>
          </ProviderRow>
        ))}
        {unconnected.map(({ name, label }) => (
          <ProviderRow key={name} label={label} text={en('Not connected', 'Sin conectar')}>
            <SettingsActionButton
              label={en(`Connect ${label}`, `Conectar ${label}`)}
              busy={connect.isPending && connect.variables === name}
              onClick={() => connect.mutate(name)}
            >
              {en('Connect', 'Conectar')}
            </SettingsActionButton>
          </ProviderRow>
        ))}
      </SettingsBox>
      <p
        role="alert"
        lang={es('es', 'en')}
        className="mx-1 mb-4 text-label font-[550] text-danger empty:hidden"
      >
        {problem}
      </p>
      {question.dialog}
      {dialog}
    </div>
  )
}

function describeUnusable(email: string): string {
  const text = en(
    'You can no longer sign in with this account, because this site changed or removed the provider.',
    'Ya no puedes entrar con esta cuenta, porque este sitio cambió o quitó el proveedor.',
  )
  return email ? `${email}. ${text}` : text
}

function ProviderRow({
  label,
  text,
  connected = false,
  children,
}: {
  label: string
  text: string
  connected?: boolean
  children: ReactNode
}) {
  return (
    <SettingsRow icon={CircleUserRound} color={connected ? 'success' : 'plain'} title={label} text={text}>
      {children}
    </SettingsRow>
  )
}

/** Tells the member once whether connecting succeeded. @returns why connecting failed */
function useReturnFromProvider(providers: Settings['providers']): string | undefined {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const query = new URLSearchParams(search)
    const given = query.get('problem')
    const connected = providers.find(({ name }) => name === query.get('connected'))
    if (given === null && !query.has('connected')) return
    if (given !== null)
      setProblem(fillInCommunityName(providerProblems[isProviderProblem(given) ? given : 'general_unknown']))
    if (connected)
      toast({ text: en(`${connected.label} is connected.`, `Conectaste tu cuenta de ${connected.label}.`) })
    void navigate(pathname, { replace: true })
  }, [pathname, search, navigate, providers])
  return problem
}
