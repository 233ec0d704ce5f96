/** The order is that on the screen. Add the pages of new features here. */

import { Archive, AtSign, Bell, Palette, Shield, ShieldCheck, Ticket, UserRound } from 'lucide-react'
import { en } from '#contract/language.ts'
import type { CurrentMember } from '#contract/people/people.ts'
import type { ScreenSection } from '#web/layout/sections-screen.tsx'
import { lazyScreen } from '#web/navigation/lazy-screen.tsx'

type SettingsSectionDefinition = ScreenSection & {
  isFor?: (me: CurrentMember) => boolean
}

const settingsSections: readonly SettingsSectionDefinition[] = [
  {
    path: 'profile',
    label: en('Profile', 'Perfil'),
    icon: UserRound,
    screen: lazyScreen(() => import('./profile-section.tsx'), 'ProfileSection'),
  },
  {
    path: 'account',
    label: en('Account', 'Cuenta'),
    icon: AtSign,
    screen: lazyScreen(() => import('./account-section.tsx'), 'AccountSection'),
  },
  {
    path: 'security',
    label: en('Security', 'Seguridad'),
    icon: ShieldCheck,
    screen: lazyScreen(() => import('./security-overview-section.tsx'), 'SecurityOverviewSection'),
    pages: [
      {
        path: 'security/devices',
        title: en('Devices', 'Dispositivos'),
        screen: lazyScreen(() => import('./devices-page.tsx'), 'DevicesPage'),
      },
      {
        path: 'security/passkeys',
        title: en('Passkeys', 'Llaves de acceso'),
        screen: lazyScreen(() => import('../passkeys/passkeys-page.tsx'), 'PasskeysPage'),
      },
      {
        path: 'security/code',
        title: en('Authenticator app', 'Aplicación de autenticación'),
        screen: lazyScreen(() => import('./authenticator-page.tsx'), 'AuthenticatorPage'),
      },
      {
        path: 'security/recovery-codes',
        title: en('Recovery codes', 'Códigos de recuperación'),
        screen: lazyScreen(() => import('./recovery-codes/recovery-codes-page.tsx'), 'RecoveryCodesPage'),
      },
      {
        path: 'security/log',
        title: en('Security log', 'Registro de seguridad'),
        screen: lazyScreen(() => import('./security-log-page.tsx'), 'SecurityLogPage'),
      },
    ],
  },
  {
    path: 'notifications',
    label: en('Notifications', 'Novedades'),
    icon: Bell,
    screen: lazyScreen(
      () => import('../../notifications/notification-preferences-section.tsx'),
      'NotificationPreferencesSection',
    ),
  },
  {
    path: 'privacy',
    label: en('Privacy and safety', 'Privacidad y seguridad'),
    icon: Shield,
    screen: lazyScreen(() => import('../../people/privacy/privacy-section.tsx'), 'PrivacySection'),
    pages: [
      {
        path: 'blocked',
        title: en('Blocked people', 'Personas bloqueadas'),
        screen: lazyScreen(
          () => import('../../people/blocks/blocked-members-screen.tsx'),
          'BlockedMembersScreen',
        ),
      },
      {
        path: 'quiet',
        title: en('Muted and restricted', 'Silenciadas y restringidas'),
        screen: lazyScreen(
          () => import('../../people/mutes-and-restrictions/muted-and-restricted-screen.tsx'),
          'MutedAndRestrictedScreen',
        ),
      },
      {
        path: 'reports',
        title: en('Your reports', 'Tus denuncias'),
        screen: lazyScreen(() => import('../../moderation/my-reports-screen.tsx'), 'MyReportsScreen'),
      },
    ],
  },
  {
    path: 'language',
    label: en('Language and appearance', 'Idioma y aspecto'),
    icon: Palette,
    screen: lazyScreen(() => import('./appearance-section.tsx'), 'AppearanceSection'),
  },
  {
    path: 'data',
    label: en('Your data', 'Tus datos'),
    icon: Archive,
    screen: lazyScreen(
      () => import('../../deletion/export-and-deletion-section.tsx'),
      'ExportAndDeletionSection',
    ),
    pages: [
      {
        path: 'data/delete',
        title: en('Delete your account', 'Borrar tu cuenta'),
        screen: lazyScreen(() => import('../../deletion/delete-account-page.tsx'), 'DeleteAccountPage'),
      },
    ],
  },
  {
    path: 'invitations',
    label: en('Invitations', 'Invitaciones'),
    icon: Ticket,
    isFor: (me) => me.invites === true,
    screen: lazyScreen(() => import('../../community/invitations-section.tsx'), 'InvitationsSection'),
  },
]

export const getSettingsSections = (me: CurrentMember): SettingsSectionDefinition[] =>
  settingsSections.filter(({ isFor }) => isFor?.(me) ?? true)
