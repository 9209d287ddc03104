// The page's own words. What is said about a payment comes from the service (state.message); here is what it can't say
// because it can't be reached, and what buttons are called.
import type { Text } from './state.js';

export type Language = keyof Text;

export const texts = {
  loading: { en: 'Looking up your order…', zh: '正在查询订单…' },
  confirming: {
    en: 'Confirming your payment. Please do not pay again.',
    zh: '支付结果确认中，请勿重复付款。',
  },
  offline: {
    en: 'No connection right now. We keep trying; there is nothing you need to do.',
    zh: '网络暂时中断，正在自动重试，您无需操作。',
  },
  gone: {
    en: 'This link is incomplete or too old. Please open the payment from the shop again.',
    zh: '链接不完整或已失效，请返回商家重新打开。',
  },
  leave: {
    en: 'You may close this page; the shop learns of the result by itself.',
    zh: '您可以关闭本页，商家会自动收到支付结果。',
  },
  choose: { en: 'Payment method', zh: '支付方式' },
  pay: { en: 'Pay', zh: '支付' },
  // {} is the method's name.
  go: { en: 'Continue to {}', zh: '前往{}' },
  scan: { en: 'Scan this code with {}', zh: '请使用{}扫码支付' },
  open: { en: 'Or open {} on this device', zh: '或在本机打开{}' },
  left: { en: 'Time left', zh: '剩余时间' },
  other: { en: 'Pay in another way', zh: '更换支付方式' },
  stay: { en: 'Stay with {}', zh: '继续使用{}' },
  instead: {
    en: 'If you pay in another way, the first payment is closed before the new one begins.',
    zh: '选择其他方式后，会先关闭原来的支付，再发起新的支付。',
  },
  until: { en: 'Another way to pay opens in', zh: '可更换支付方式，还需等待' },
  back: { en: 'Back to the shop', zh: '返回商家' },
  refunded: { en: 'Refunded', zh: '已退款' },
  order: { en: 'Order', zh: '订单' },
} as const;

export function languageOf(tag: string): Language {
  return tag.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

export function money(amountText: string, currency: string, language: Language): string {
  const tag = language === 'zh' ? 'zh-CN' : 'en';
  try {
    const format = new Intl.NumberFormat(tag, { style: 'currency', currency });
    // Decimal text keeps every digit where the engine takes it, and is a number's text where it does not.
    return format.format(amountText as unknown as number);
  } catch {
    return `${amountText} ${currency}`;
  }
}
