import type { PaymentDto, TimelineDto, TimelineEntryDto } from '../../payments/views/payment.dto.js';
import { ServiceRefusal, type ServiceClient } from '../service-client.js';
import type { ScenariosFile, TestCard } from './scenarios-file.js';

/** How long it may take to learn an unknown outcome. The gateway is asked again and again. */
const SETTLE_SECONDS = 60;
/** How long to wait for a change before asking the gateway again. */
const LOOK_SECONDS = 3;

const DEVICE = {
  javaEnabled: false,
  language: 'en-NG',
  screenHeight: 1080,
  screenWidth: 1920,
  colorDepth: 24,
  timeZone: 'Africa/Lagos',
  userAgent: 'tillfront go-live',
};

/** A payment ended differently than its scenario expects. */
export class ScenarioFailure extends Error {
  override readonly name = 'ScenarioFailure';
}

export interface Bank {
  code: string;
  name: string;
}

export interface TestShopOptions {
  service: ServiceClient;
  file: ScenariosFile;
  /** Tells a person what to do as the payer. */
  ask: (line: string) => void;
  /** How long a person may take. */
  waitSeconds: number;
  /** What the orders are for: `go-live`, unless it says otherwise. Their references begin with it. */
  purpose?: string;
}

interface Session {
  id: string;
  reference: string;
  livemode: boolean;
  clientToken: string;
  methods: string[];
}

/** Plays the merchant's server: creates orders, pays, voids and completes payments, and waits for the results. */
export class TestShop {
  /** The payment that was waited for last. */
  payment: PaymentDto | undefined;
  readonly #options: TestShopOptions;
  #orders = 0;

  constructor(options: TestShopOptions) {
    this.#options = options;
  }

  get file(): ScenariosFile {
    return this.#options.file;
  }

  /** Forgets the payment of the scenario before. */
  begin(): void {
    this.payment = undefined;
  }

  /** Creates an order for the given amount, or for the file's usual one. */
  async order(amount: string = this.file.amount): Promise<Order> {
    const { service, file, purpose = 'go-live' } = this.#options;
    this.#orders += 1;
    const session = await service.post<Session>('/v1/checkout-sessions', {
      reference: `${purpose.toUpperCase()}-${Date.now().toString(36).toUpperCase()}-${this.#orders}`,
      amount,
      currency: file.currency,
      payer: file.payer,
      billing: file.billing,
      expiresInSeconds: 7200,
      metadata: { purpose },
    });
    return new Order(service, session);
  }

  complete(payment: PaymentDto): Promise<PaymentDto> {
    return this.#options.service.post<PaymentDto>(`/v1/payments/${payment.id}/complete`);
  }

  void(payment: PaymentDto): Promise<PaymentDto> {
    return this.#options.service.post<PaymentDto>(`/v1/payments/${payment.id}/void`);
  }

  /** Ends a payment that waits for the payer, as the merchant. */
  cancel(payment: PaymentDto): Promise<PaymentDto> {
    return this.#options.service.post<PaymentDto>(`/v1/payments/${payment.id}/cancel`);
  }

  /** Gives the whole payment back. */
  refund(payment: PaymentDto): Promise<unknown> {
    return this.#options.service.post(`/v1/payments/${payment.id}/refunds`);
  }

  async timeline(payment: PaymentDto): Promise<TimelineEntryDto[]> {
    const { data } = await this.#options.service.get<TimelineDto>(`/v1/payments/${payment.id}/events`);
    return data;
  }

  /** Waits for the gateway's final answer. Throws {@link ScenarioFailure} where the status is not the expected one. */
  settle(payment: PaymentDto, wanted: PaymentDto['status']): Promise<PaymentDto> {
    return this.#until(payment, wanted, ['processing'], SETTLE_SECONDS);
  }

  /** The same, while a person acts as the payer. */
  untilPaidByPerson(
    payment: PaymentDto,
    wanted: PaymentDto['status'],
    whatToDo: readonly string[],
  ): Promise<PaymentDto> {
    const { ask, waitSeconds } = this.#options;
    for (const line of whatToDo) ask(line);
    return this.#until(payment, wanted, ['processing', 'requires_action'], waitSeconds);
  }

  async #until(
    payment: PaymentDto,
    wanted: PaymentDto['status'],
    meanwhile: readonly PaymentDto['status'][],
    seconds: number,
  ): Promise<PaymentDto> {
    const { service } = this.#options;
    this.payment = payment;
    const deadline = Date.now() + seconds * 1000;
    let now = payment;
    while (now.status !== wanted || now.pendingOperation) {
      if (!meanwhile.includes(now.status) && !now.pendingOperation) {
        const why = now.failure ? ` (${now.failure.code}: ${now.failure.message})` : '';
        throw new ScenarioFailure(`became ${now.status}${why}, not ${wanted}`);
      }
      if (now.needsAttention) throw new ScenarioFailure('needs attention: its timeline says why');
      if (Date.now() > deadline)
        throw new ScenarioFailure(`is still ${now.status} after ${seconds} s, not ${wanted}`);
      const changed = await service.get<PaymentDto>(
        `/v1/payments/${payment.id}?wait=${LOOK_SECONDS}&seen=${now.status}`,
      );
      now = changed.status === now.status ? await this.#askGateway(changed) : changed;
    }
    return now;
  }

  async #askGateway(payment: PaymentDto): Promise<PaymentDto> {
    try {
      return await this.#options.service.post<PaymentDto>(`/v1/payments/${payment.id}/refresh`);
    } catch (error) {
      // Another caller is already asking.
      if (error instanceof ServiceRefusal && error.code === 'operation-in-progress') return payment;
      throw error;
    }
  }
}

/** Plays the payer's browser for one order. */
export class Order {
  readonly #service: ServiceClient;

  constructor(
    service: ServiceClient,
    readonly session: Session,
  ) {
    this.#service = service;
  }

  payByCard({ otp: _, ...card }: TestCard): Promise<PaymentDto> {
    return this.#pay('card', { card: { ...card, nameOnCard: 'Test Payer' }, device: DEVICE });
  }

  payByWallet(): Promise<PaymentDto> {
    return this.#pay('wallet', {});
  }

  payByTransfer(): Promise<PaymentDto> {
    return this.#pay('transfer', {});
  }

  payByUssd(bankCode: string): Promise<PaymentDto> {
    return this.#pay('ussd', { bankCode });
  }

  async banks(): Promise<Bank[]> {
    const { banks } = await this.#service.get<{ banks: Bank[] }>('/v1/ussd/banks', this.session.clientToken);
    return banks;
  }

  submitOtp(payment: PaymentDto, otp: string): Promise<PaymentDto> {
    return this.#service.post<PaymentDto>(
      `/v1/payments/${payment.id}/otp`,
      { otp },
      this.session.clientToken,
    );
  }

  close(): Promise<unknown> {
    return this.#service.post(`/v1/checkout-sessions/${this.session.id}/close`);
  }

  #pay(method: string, body: object): Promise<PaymentDto> {
    return this.#service.post<PaymentDto>(`/v1/payments/${method}`, body, this.session.clientToken);
  }
}
