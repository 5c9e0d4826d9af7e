export interface paths {
    "/v1/checkout-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The sessions of a reference. */
        get: operations["sessions.list"];
        put?: never;
        /** Creates a checkout session: what a payer owes. Its client token goes to the browser. */
        post: operations["sessions.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout-sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One session. */
        get: operations["sessions.find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout-sessions/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Closes an open session: nothing can be paid after that. */
        post: operations["sessions.close"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout-sessions/{id}/redact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erases the payer's data now, and what people typed: values of `metadata`, reasons of refunds, notes. Amounts, references and timelines stay. */
        post: operations["sessions.redact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The session of this client token, with its payments. */
        get: operations["browserSession.find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pays the session by card. */
        post: operations["cards.pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends the card's PIN, where the gateway asks for it after the card. */
        post: operations["cardPin.pin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/card-encryption-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public key with which a browser encrypts a card, so that nothing on the way sees it. */
        get: operations["cardEncryptionKey.key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pays the session with the partner wallet: the answer sends the payer to its cashier. */
        post: operations["wallets.pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pays the session by bank transfer: the answer names the account to pay into. */
        post: operations["transfers.pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/ussd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pays the session by USSD: the answer holds the code to dial. */
        post: operations["ussd.pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ussd/banks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The banks whose customers can pay by USSD. */
        get: operations["ussdBanks.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists all events in one order, without gaps. A new event appears within a second. */
        get: operations["events.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends an event to the merchant's server again, under its id, with a new series of attempts. */
        post: operations["events.redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/redeliver-waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends all events now that wait for a later attempt, because the merchant's server did not accept them. Their 72 hours are not begun
         *     again.
         */
        post: operations["events.redeliverWaiting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what waits for a second person and what was decided, the newest first. */
        get: operations["approvals.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approves it, and has it done: the answer shows what came of it. Takes a merchant key with another name than the asker's. The rules are
         *     checked again; where they no longer hold, nothing is done and it goes on waiting.
         */
        post: operations["approvals.approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Declines it. Nothing is done. Any merchant key may, the asker's too. */
        post: operations["approvals.decline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who did what, from where, the oldest first and without gaps, or the newest first. */
        get: operations["audit.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same entries as a table for spreadsheets (RFC 4180), the oldest first, with a header. The answer is streamed. */
        get: operations["audit.table"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/console/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tells whose key it is and what it may do, and records the sign-in in the audit. It creates no session: each call sends the key. */
        post: operations["signIns.signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The refunds of all payments, also those of the gateway's own dashboard, the newest first. */
        get: operations["allRefunds.refunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The ledger: money that moved, by when it moved, the oldest first. */
        get: operations["movements.movements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Adds up payments by the day or month in which they were made, by method or by currency, separately for each status and currency, and money by
         *     when it moved.
         */
        get: operations["reports.summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is paid, open and waiting: the figures of a first page. */
        get: operations["reports.overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/payments.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Payments as a table for spreadsheets (RFC 4180), one row each, oldest first, with a header. The answer is streamed. */
        get: operations["reports.payments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/movements.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ledger as a table for spreadsheets and accounting programs (RFC 4180), one movement a row, by when money moved, the oldest first, with a
         *     header. Amounts are signed; date and time are those of `BOOKS_TIME_ZONE`. The answer is streamed.
         */
        get: operations["reports.movementsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists settlement reports, the newest first. */
        get: operations["settlements.list"];
        put?: never;
        /**
         * Compares a settlement report of the gateway (CSV) with the payments here. A repeat of the same file gets the same comparison
         *     (200). It moves no payment: the gateway is asked about the report's claims. If it does not confirm one in time, the payment
         *     needs attention.
         */
        post: operations["settlements.compare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/{id}/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compares the merchant's own list of orders too (CSV with the columns `reference`, `amount`, `currency` and `status`, in any order and with any
         *     delimiter). It replaces an earlier list.
         */
        post: operations["settlements.compareOrders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/{id}/adopt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes over the payments that the report names and that are unknown here, all or those of chosen rows, as after a restored backup. The
         *     gateway is asked about each first. A payment is taken over if the gateway reports success, or on the caller's word if its answer says nothing (then it needs
         *     attention). Work that takes longer than 20 seconds goes on after the answer. Rows above `APPROVAL_ABOVE`, each by itself, wait for another person (202).
         */
        post: operations["settlements.adopt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One settlement report. */
        get: operations["settlements.find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/{id}/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists where a report, or the list of orders beside it, and the ledger differ, and what no report has of its time. */
        get: operations["settlements.differences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists where settlement reports, lists of orders and the ledger differ, over all reports, the newest first. */
        get: operations["differences.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/differences/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Closes a difference that is dealt with. One closes itself when what it lacked arrives. Above `APPROVAL_ABOVE` a write-off waits
         *     for another person (202).
         */
        post: operations["differences.close"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/differences/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens a closed difference again. */
        post: operations["differences.reopen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/differences/{id}/note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Notes something about a difference. */
        post: operations["differences.note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finds payments by what a person knows of one, the newest first. What is looked for stands in no address, and the audit has a hash of it.
         *     A payer's data is found while the session has it.
         */
        post: operations["paymentSearch.search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists payments, the newest first. */
        get: operations["payments.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One payment; with `wait`, as soon as its status, next action or `amountReceived` differs from now, or from what was `seen`. */
        get: operations["payments.find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A payment's timeline: its creation, every move, operation and finding. */
        get: operations["payments.timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends the one-time code that the payer got from the bank. */
        post: operations["payments.otp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels a payment that waits for its payer. The gateway is asked first; more than 12 times a minute for one payment is answered
         *     with `rate-limited`. A card that is being charged is not canceled (409 `outcome-unknown`).
         */
        post: operations["payments.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes what an authorized payment holds, or part of it. */
        post: operations["payments.complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Releases the hold of an authorized payment, or reverses a succeeded one. If another payment of the reference is paid,
         *     that one counts from then on.
         */
        post: operations["payments.void"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Records a person's word about a payment that needs attention. As paid above `APPROVAL_ABOVE`, it waits until a second person approves it. */
        post: operations["payments.resolve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks the gateway now. Where more is asked than `GATEWAY_STATUS_QUERIES_PER_SECOND` has room for within 5 s, the answer is the payment
         *     as it was last known.
         */
        post: operations["payments.refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A payment's refunds, the oldest first. */
        get: operations["refunds.list"];
        put?: never;
        /**
         * Gives back all or part of a succeeded payment, if the gateway's profile has refunds. The payment stays `succeeded`. Above
         *     `APPROVAL_ABOVE` it waits until a second person approves it.
         */
        post: operations["refunds.refund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/held-references": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists references of which no payment starts (409 `outcome-unknown`): a payment of theirs may have been made that is not known here,
         *     and the gateway does not say what became of it. It is asked again at every start, and in the background.
         */
        get: operations["heldReferences.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/held-references/{reference}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lets payments of a reference start again, on the caller's word that none of the named ones was or will be paid. Their gateway
         *     references are never used again.
         */
        post: operations["heldReferences.release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/return/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where banks and wallets send the payer back to.
         * @description The gateway is asked (at most 5 s), then the payer is sent on to the session’s `returnUrl`, or to the checkout page, with `payment` and `status` added. Nothing in the call proves a payment.
         */
        get: operations["return.get"];
        put?: never;
        /**
         * Where banks and wallets send the payer back to.
         * @description The gateway is asked (at most 5 s), then the payer is sent on to the session’s `returnUrl`, or to the checkout page, with `payment` and `status` added. Nothing in the call proves a payment.
         */
        post: operations["return.post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/gateway/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Where the gateway sends its notifications.
         * @description Any media type, up to 256 KiB. Its content moves nothing: it only makes the service ask the gateway. With `NOTIFICATION_SECRET` set it must carry the secret: as `Authorization: Bearer`, as `x-notification-secret`, as the last segment of the path, or as the key of the signature that the profile names.
         */
        post: operations["notifications.take"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/gateway/notifications/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Where the gateway sends its notifications.
         * @description Any media type, up to 256 KiB. Its content moves nothing: it only makes the service ask the gateway. With `NOTIFICATION_SECRET` set it must carry the secret: as `Authorization: Bearer`, as `x-notification-secret`, as the last segment of the path, or as the key of the signature that the profile names.
         */
        post: operations["notifications.takeBySecretAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process answers. Moves to `MANAGEMENT_PORT` where that is set. */
        get: operations["health.live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether it may get requests. Moves to `MANAGEMENT_PORT` where that is set. */
        get: operations["health.ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics for Prometheus. Moves to `MANAGEMENT_PORT` where that is set; without it, production’s rules ask for a merchant key. */
        get: operations["metrics.scrape"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "payment.requires_action": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The payer must do something. You need not act. */
        post: operations["webhooks.payment.requires_action"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.authorized": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The money is held, not paid: complete or void the payment. */
        post: operations["webhooks.payment.authorized"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Paid. */
        post: operations["webhooks.payment.succeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Not paid. Another attempt may still pay the order. */
        post: operations["webhooks.payment.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Canceled while it waited. */
        post: operations["webhooks.payment.canceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Its time ran out while it waited. */
        post: operations["webhooks.payment.expired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.voided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reversed. */
        post: operations["webhooks.payment.voided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The order was paid a second time, by this payment. */
        post: operations["webhooks.payment.duplicate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.needs_attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person has to look. */
        post: operations["webhooks.payment.needs_attention"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.operation_refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A completion or a void that was answered with 202 was not done. */
        post: operations["webhooks.payment.operation_refused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Money was given back. `amountRefunded` is the total so far. */
        post: operations["webhooks.payment.refunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.refund_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A refund was not done, or it came back. */
        post: operations["webhooks.payment.refund_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.disputed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The payer’s bank has taken the money back. */
        post: operations["webhooks.payment.disputed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.dispute_won": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The dispute was won or withdrawn. */
        post: operations["webhooks.payment.dispute_won"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person has said that another amount arrived. */
        post: operations["webhooks.payment.resolved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.approval_needed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A refund, or resolving the payment as paid, waits for a second person. */
        post: operations["webhooks.payment.approval_needed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "checkout_session.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The order is paid. */
        post: operations["webhooks.checkout_session.paid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "checkout_session.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Its time ran out unpaid. */
        post: operations["webhooks.checkout_session.expired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "checkout_session.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Closed. `closedReason` says why. */
        post: operations["webhooks.checkout_session.closed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "difference.approval_needed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Writing a difference off waits for a second person. */
        post: operations["webhooks.difference.approval_needed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tillfront.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent by `tillfront doctor`. Accept it, and do nothing. */
        post: operations["webhooks.tillfront.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        PayerDto: {
            /**
             * @description E-mail address, at most 254 characters (the gateway's `payerEmail`).
             * @example ada@example.com
             */
            email?: string;
            /**
             * @description Telephone number as in E.164: an optional `+` and 7 to 15 digits (the gateway's `payerPhone`).
             * @example +2348012345678
             */
            phone?: string;
            /**
             * @description First name, at most 100 characters (the gateway's `firstName`).
             * @example Ada
             */
            firstName?: string;
            /**
             * @description Last name, at most 100 characters (the gateway's `lastName`).
             * @example Obi
             */
            lastName?: string;
        };
        BillingDto: {
            /**
             * @description Street and number, at most 200 characters (the gateway's `billingStreet`).
             * @example 1 Marina
             */
            street?: string;
            /**
             * @description City, at most 100 characters (the gateway's `billingCity`).
             * @example Lagos
             */
            city?: string;
            /**
             * @description State or province, at most 100 characters (the gateway's `billingStateProvince`).
             * @example Lagos
             */
            stateProvince?: string;
            /**
             * @description Postal code, at most 20 characters (the gateway's `billingPostCode`).
             * @example 101001
             */
            postCode?: string;
            /**
             * @description Country: ISO 3166-1 alpha-3 (the gateway's `billingCountry`).
             * @example NGA
             */
            country?: string;
        };
        CreateSessionDto: {
            /**
             * @description The merchant's own reference: 1 to 40 letters, digits, dots and dashes.
             * @example ORDER-1001
             */
            reference: string;
            /**
             * @description Decimal amount in major units, above zero, with at most the currency's ISO 4217 minor digits.
             * @example 1500.00
             */
            amount: string;
            /**
             * Format: currency
             * @description ISO 4217 alphabetic code.
             * @example NGN
             */
            currency: string;
            /** @description What is already known about the payer. */
            payer?: components["schemas"]["PayerDto"];
            /** @description What is already known about the billing address. */
            billing?: components["schemas"]["BillingDto"];
            /**
             * @description Where the payer comes back to: an address of an allowed return origin.
             * @example https://shop.example/thanks
             */
            returnUrl?: string;
            /**
             * @description Which of the offered methods may be used; all of them by default, and `null` is refused.
             * @example [
             *       "card",
             *       "wallet"
             *     ]
             */
            methods?: ("card" | "wallet" | "transfer" | "ussd")[];
            /**
             * Format: int32
             * @description How long it can be paid, in seconds: 60 to 2592000 (30 days, for payment links), 1800 by default.
             * @example 1800
             */
            expiresInSeconds?: number;
            /**
             * @description The language of the payment page where it does not speak the browser's: a BCP 47 tag of at most 35 characters.
             * @example fr-CI
             */
            locale?: string;
            /**
             * @description The merchant's own notes, copied onto payments and events: at most 20 keys of 1 to 40 letters, digits, `_`, `.`
             *     and `-`, with strings of at most 500 characters. A card number in them is refused.
             * @example {
             *       "cart": "42"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        PendingOperationDto: {
            /** @enum {string} */
            type: "pay" | "otp" | "pin" | "complete" | "void" | "refund";
            /** @description Decimal, in major units, for a completion or a refund. */
            amount?: string;
            /** @description RFC 3339, UTC. */
            since: string;
        };
        FailureDto: {
            /**
             * @description Stable. Let your code decide by it.
             * @enum {string}
             */
            code: "declined" | "expired" | "canceled" | "resolved" | "gateway_unavailable" | "gateway_rejected" | "gateway_credentials_rejected" | "gateway_busy" | "gateway_never_received";
            /** @description Can be shown to the payer. */
            message: string;
            /**
             * @description Why the bank declined it, as far as the gateway profile's `declines` tell; null where they do not. Show the payer a sentence of your
             *     own for it, in their language.
             * @enum {string|null}
             */
            reason: "insufficientFunds" | "wrongCode" | "wrongPin" | "expiredCard" | "cardBlocked" | "limitExceeded" | "notPermitted" | "authenticationFailed" | "askBank" | "tryAgain" | null;
            /** @description The gateway's own code. */
            gatewayCode?: string;
            /** @description Whether the same call may be tried again. */
            retryable: boolean;
        };
        PaymentCardDto: {
            /** @example verve */
            brand: string | null;
            /** @example 7499 */
            last4: string;
        };
        PaymentDto: {
            /** @example pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E */
            id: string;
            /** @description Whether this is real money. */
            livemode: boolean;
            sessionId: string;
            /** @description The merchant's reference. */
            reference: string;
            /**
             * @description The gateway's name for the payment: the reference and the attempt's number.
             * @example ORDER-1001_1
             */
            gatewayReference: string;
            /**
             * @description How it is or was paid; `unknown` if it was taken over from a settlement report.
             * @enum {string}
             */
            method: "card" | "wallet" | "transfer" | "ussd" | "unknown";
            /**
             * @description `processing`: sent to the gateway, or the outcome is not known yet. `requires_action`: waits for the payer. `authorized`: the money is
             *     held. `succeeded`: paid. The others: not paid.
             * @enum {string}
             */
            status: "processing" | "requires_action" | "authorized" | "succeeded" | "failed" | "canceled" | "expired" | "voided";
            /**
             * @description Decimal, in major units, with all minor digits.
             * @example 1500.00
             */
            amount: string;
            /** @description How much is or was held. */
            amountAuthorized: string | null;
            /** @description How much was paid. */
            amountCaptured: string | null;
            /**
             * @description How much money has come where that is not what is owed (`mismatch`): a transfer of a part, or of too much. It does not pay the order: a
             *     person must look. Null where nothing else came.
             */
            amountReceived: string | null;
            /**
             * @description How much of that has been given back: refunds that succeeded, and what the gateway says that it gave back by itself; null until
             *     anything was. The payment stays `succeeded`.
             */
            amountRefunded: string | null;
            /** @description Whether the payer's bank has taken the money back (a chargeback), and the gateway has not said that the dispute was won. */
            disputed: boolean;
            /** @description How much of it the bank took back; null where nothing is disputed, and where nobody knows how much. */
            amountDisputed: string | null;
            /**
             * @description ISO 4217.
             * @example NGN
             */
            currency: string;
            nextAction: components["schemas"]["NextAction"] | null;
            /** @description An operation whose outcome is not known yet. The service keeps asking the gateway. */
            pendingOperation: components["schemas"]["PendingOperationDto"] | null;
            /** @description The payment that pays the same reference, or paid it when this one came; null for the payment that pays it. */
            duplicateOf: string | null;
            /** @description Whether a person must look. */
            needsAttention: boolean;
            /** @description Why a person must look: words that never change, which the runbook explains. Empty where nobody must. */
            attentionReasons: string[];
            /** @description Why it is not paid. */
            failure: components["schemas"]["FailureDto"] | null;
            card: components["schemas"]["PaymentCardDto"] | null;
            /** @description The session's. */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description When it was paid, RFC 3339, UTC: the gateway's time where it says one that can be believed, otherwise when that was learned. Null until
             *     it is paid. It never changes.
             */
            paidAt: string | null;
            /** @description RFC 3339, UTC. */
            createdAt: string;
            /** @description RFC 3339, UTC. */
            updatedAt: string;
        };
        MerchantSessionDto: {
            /** @description Its newest 20 payments, the oldest of them first. */
            payments: components["schemas"]["PaymentDto"][];
            payer: components["schemas"]["PayerDto"] | null;
            metadata: {
                [key: string]: string;
            };
            /**
             * @description Why the session is closed: by you (`merchant`), after too many issuer declines (`declines`) or payments (`attempts`), or because its
             *     payment was `voided`. Null while it is not closed.
             * @enum {string|null}
             */
            closedReason: "merchant" | "declines" | "attempts" | "voided" | null;
            /** @description The browser's secret for this session; only in the answer that created it and in its replays. */
            clientToken?: string;
            /** @description A ready-made page to send the payer to; the token is in its fragment. Only beside `clientToken`. */
            checkoutUrl?: string;
            /** @example cs_Jg1hK6vX2bWq8r0mT5yNd3Pz */
            id: string;
            /** @description Whether this is real money. */
            livemode: boolean;
            /**
             * @description `open`, `paid`, `expired` or `closed`.
             * @enum {string}
             */
            status: "open" | "paid" | "expired" | "closed";
            /** @example ORDER-1001 */
            reference: string;
            /**
             * @description Decimal, in major units, with all minor digits.
             * @example 1500.00
             */
            amount: string;
            /** @example NGN */
            currency: string;
            returnUrl: string | null;
            methods: ("card" | "wallet" | "transfer" | "ussd")[];
            /** @description The language of the payment page where it does not speak the browser's, as a BCP 47 tag; null where none was said. */
            locale: string | null;
            /** @description RFC 3339, UTC. */
            expiresAt: string;
            /** @description RFC 3339, UTC. */
            createdAt: string;
        };
        SessionListDto: {
            /** @description The newest first. */
            data: components["schemas"]["MerchantSessionDto"][];
        };
        EmptyDto: Record<string, never>;
        ProvidedDto: {
            /**
             * @example [
             *       "email",
             *       "phone"
             *     ]
             */
            payer: string[];
            /**
             * @example [
             *       "street",
             *       "city",
             *       "stateProvince",
             *       "postCode",
             *       "country"
             *     ]
             */
            billing: string[];
        };
        CardPinDto: {
            /**
             * @description `with`: cards of these brands are paid with their PIN in the first call. `later`: the next action `pin` asks for it.
             * @enum {string}
             */
            when: "with" | "later";
            /**
             * @description Empty with `later`.
             * @example [
             *       "verve"
             *     ]
             */
            brands: string[];
        };
        CardFieldsDto: {
            /**
             * @example [
             *       "number",
             *       "expiryMonth",
             *       "expiryYear",
             *       "cvv",
             *       "nameOnCard"
             *     ]
             */
            card: string[];
            /**
             * @example [
             *       "javaEnabled",
             *       "language",
             *       "screenHeight",
             *       "screenWidth",
             *       "colorDepth",
             *       "timeZone",
             *       "userAgent"
             *     ]
             */
            device: string[];
            pin: components["schemas"]["CardPinDto"];
            /**
             * @example [
             *       "email"
             *     ]
             */
            payer: string[];
            /**
             * @description `stateProvince` and `postCode` only where the country requires them: that of the session, or the one that the payer chooses
             *     (`requiredIn`).
             * @example []
             */
            billing: string[];
        };
        MethodFieldsDto: {
            /**
             * @example [
             *       "email"
             *     ]
             */
            payer: string[];
            /**
             * @description `stateProvince` and `postCode` only where the country requires them: that of the session, or the one that the payer chooses
             *     (`requiredIn`).
             * @example []
             */
            billing: string[];
        };
        SessionFieldsDto: {
            card?: components["schemas"]["CardFieldsDto"];
            wallet?: components["schemas"]["MethodFieldsDto"];
            transfer?: components["schemas"]["MethodFieldsDto"];
            ussd?: components["schemas"]["MethodFieldsDto"];
        };
        RequiredInDto: {
            /**
             * @example [
             *       "CAN",
             *       "USA"
             *     ]
             */
            stateProvince: string[];
            /**
             * @example [
             *       "CAN",
             *       "DEU",
             *       "USA"
             *     ]
             */
            postCode: string[];
        };
        BrowserSessionDto: {
            /** @description Its newest 20 payments, the oldest of them first. */
            payments: components["schemas"]["PaymentDto"][];
            provided: components["schemas"]["ProvidedDto"];
            fields: components["schemas"]["SessionFieldsDto"];
            requiredIn: components["schemas"]["RequiredInDto"];
            /** @example cs_Jg1hK6vX2bWq8r0mT5yNd3Pz */
            id: string;
            /** @description Whether this is real money. */
            livemode: boolean;
            /**
             * @description `open`, `paid`, `expired` or `closed`.
             * @enum {string}
             */
            status: "open" | "paid" | "expired" | "closed";
            /** @example ORDER-1001 */
            reference: string;
            /**
             * @description Decimal, in major units, with all minor digits.
             * @example 1500.00
             */
            amount: string;
            /** @example NGN */
            currency: string;
            returnUrl: string | null;
            methods: ("card" | "wallet" | "transfer" | "ussd")[];
            /** @description The language of the payment page where it does not speak the browser's, as a BCP 47 tag; null where none was said. */
            locale: string | null;
            /** @description RFC 3339, UTC. */
            expiresAt: string;
            /** @description RFC 3339, UTC. */
            createdAt: string;
        };
        CardDto: {
            /**
             * @description Card number: 12 to 19 digits with a right check digit and a length of its brand (the gateway's `cardNumber`).
             * @example 5060990580000217499
             */
            number: string;
            /**
             * @description Expiry month, `01` to `12` (the gateway's `expiryMonth`).
             * @example 12
             */
            expiryMonth?: string;
            /**
             * @description Expiry year, four digits or the last two (the gateway's `expiryYear`). The card must not have expired.
             * @example 2030
             */
            expiryYear?: string;
            /**
             * @description Card verification value: as many digits as its brand has (the gateway's `cvv`).
             * @example 111
             */
            cvv?: string;
            /**
             * @description Card PIN, 4 to 6 digits: some card types need it (the gateway's `card_pin`).
             * @example 1111
             */
            pin?: string;
            /**
             * @description Cardholder's name as on the card, at most 100 characters (the gateway's `nameOnCard`).
             * @example Ada Obi
             */
            nameOnCard?: string;
        };
        DeviceDto: {
            /** @description Whether the browser can run Java (the gateway's `javaEnabled`). */
            javaEnabled?: boolean;
            /**
             * @description Language: a BCP 47 tag of at most 35 characters (the gateway's `language`).
             * @example en-NG
             */
            language?: string;
            /**
             * Format: int32
             * @description Height of the screen in pixels (the gateway's `screenHeight`).
             * @example 1080
             */
            screenHeight?: number;
            /**
             * Format: int32
             * @description Width of the screen in pixels (the gateway's `screenWidth`).
             * @example 1920
             */
            screenWidth?: number;
            /**
             * Format: int32
             * @description Bits per pixel: 1, 4, 8, 15, 16, 24, 30, 32 or 48 (the gateway's `colorDepth`). 30 is sent as 24.
             * @example 24
             */
            colorDepth?: number;
            /**
             * @description Time zone: an IANA name (the gateway's `timeZone`).
             * @example Africa/Lagos
             */
            timeZone?: string;
            /**
             * @description The browser's user agent, at most 2048 characters (the gateway's `userAgent`); the request's own header by default.
             * @example Mozilla/5.0
             */
            userAgent?: string;
        };
        PayCardDto: {
            card?: components["schemas"]["CardDto"];
            /**
             * @description The `card` object as a compact JWE (`RSA-OAEP-256`, `A256GCM`) with `kid`, `sid` (the session's id) and `iat` (at
             *     most 15 minutes old) in its protected header, in place of `card`; the only form where `REQUIRE_ENCRYPTED_CARD` is set.
             */
            encryptedCard?: string;
            payer?: components["schemas"]["PayerDto"];
            billing?: components["schemas"]["BillingDto"];
            device?: components["schemas"]["DeviceDto"];
        };
        PinDto: {
            /**
             * @description The card's PIN: 4 to 6 digits. It reaches the gateway and nothing else.
             * @example 1111
             */
            pin?: string;
            /**
             * @description The object `{ "pin": "1111" }` as a compact JWE, as `encryptedCard` is one (`RSA-OAEP-256`, `A256GCM`; `kid`, `sid` and
             *     `iat` in its protected header), in place of `pin`; the only form where `REQUIRE_ENCRYPTED_CARD` is set.
             */
            encryptedPin?: string;
        };
        CardEncryptionKeyDto: {
            /** @description Key type: `RSA`. */
            kty: string;
            /** @description Modulus, base64url. */
            n: string;
            /** @description Exponent, base64url. */
            e: string;
            /** @description Names the key; goes into the JWE's protected header. */
            kid: string;
            /** @description `enc`. */
            use: string;
            /** @description `RSA-OAEP-256`. */
            alg: string;
        };
        PayWalletDto: {
            payer?: components["schemas"]["PayerDto"];
            billing?: components["schemas"]["BillingDto"];
        };
        PayTransferDto: {
            payer?: components["schemas"]["PayerDto"];
            billing?: components["schemas"]["BillingDto"];
        };
        PayUssdDto: {
            /**
             * @description The payer's bank: a `code` of the list of banks.
             * @example 058
             */
            bankCode: string;
            payer?: components["schemas"]["PayerDto"];
            billing?: components["schemas"]["BillingDto"];
        };
        UssdBankDto: {
            /** @example 058 */
            code: string;
            /** @example Guaranty Trust Bank */
            name: string;
        };
        UssdBanksDto: {
            banks: components["schemas"]["UssdBankDto"][];
        };
        EventOperationDto: {
            /** @enum {string} */
            type: "pay" | "otp" | "pin" | "complete" | "void" | "refund";
            /** @description Decimal string in major units, for a completion or a refund. */
            amount?: string;
            /** @description Which refund it is. */
            refundId?: string;
        };
        DeliveryDto: {
            /**
             * @description `none`: there was no address when it happened; `pending`: waits for its (next) attempt; `delivered`; `gone`: the server answered 410;
             *     `given_up`: it was tried for 72 h.
             * @enum {string}
             */
            status: "none" | "pending" | "delivered" | "gone" | "given_up";
            /**
             * Format: int32
             * @description How often it was sent since it was written or redelivered.
             */
            attempts: number;
            /** @description RFC 3339, UTC. While an attempt is under way: when the event is sent again if the attempt's outcome is lost. */
            nextAttemptAt: string | null;
            /**
             * @description The status that the server answered with, or why there is none: `timeout`, `unreachable`, `no_answer`, `tls`, `private_address`,
             *     `no_secret`, `interrupted`.
             * @example http_200
             */
            lastResult: string | null;
        };
        EventDto: {
            /** @example evt_8Yk2cQ0nVtXw4u7LhZ1sRb6E */
            id: string;
            /**
             * @description What happened. More words may come: ignore what you do not know.
             * @example payment.succeeded
             * @enum {string}
             */
            type: "payment.requires_action" | "payment.authorized" | "payment.succeeded" | "payment.failed" | "payment.canceled" | "payment.expired" | "payment.voided" | "payment.duplicate" | "payment.needs_attention" | "payment.operation_refused" | "payment.refunded" | "payment.refund_failed" | "payment.disputed" | "payment.dispute_won" | "payment.resolved" | "payment.approval_needed" | "checkout_session.paid" | "checkout_session.expired" | "checkout_session.closed" | "difference.approval_needed";
            apiVersion: string;
            /** @description Whether this is real money. */
            livemode: boolean;
            /** @description When it happened. RFC 3339, UTC. */
            timestamp: string;
            /**
             * Format: int32
             * @description Counts the events of the payment or session from 1.
             */
            sequence: number;
            /** @description Set if the gateway's word came after the payment had been closed. */
            late?: boolean;
            /** @description The operation that the event is about: set on `payment.operation_refused`, `payment.refund_failed`, and on `payment.refunded` by a refund made here. */
            operation?: components["schemas"]["EventOperationDto"];
            /** @description Its state at that moment: the payment, for `payment.…`; the session without payer, token and address, for `checkout_session.…`; the difference, for `difference.…`. */
            data: components["schemas"]["PaymentDto"] | components["schemas"]["SessionData"] | components["schemas"]["DifferenceDto"];
            delivery: components["schemas"]["DeliveryDto"];
        };
        EventListDto: {
            data: components["schemas"]["EventDto"][];
            /** @description The last event's id, to ask with as `after`; null where there was none: ask again with the same. */
            nextCursor: string | null;
        };
        RedeliveredDto: {
            /**
             * Format: int32
             * @description Those that were planned for later, 0 or more.
             */
            events: number;
        };
        /**
         * @description What is asked for: a `refund`, to `resolve` a payment as paid, to `adopt` one from a settlement report, a difference's `write_off`, or to
         *     believe a report that a refund came back (`refund_reversal`). More words may come.
         * @enum {string}
         */
        ApprovalKind: "refund" | "resolve" | "adopt" | "write_off" | "refund_reversal";
        /**
         * @description `waiting`, `approved`, `declined`, or `expired`: nobody decided within 7 days.
         * @enum {string}
         */
        ApprovalState: "waiting" | "approved" | "declined" | "expired";
        ApprovalDto: {
            /**
             * @description What is asked for: a `refund`, to `resolve` a payment as paid, to `adopt` one from a settlement report, a difference's `write_off`, or to
             *     believe a report that a refund came back (`refund_reversal`). More words may come.
             */
            kind: components["schemas"]["ApprovalKind"];
            /** @description `waiting`, `approved`, `declined`, or `expired`: nobody decided within 7 days. */
            state: components["schemas"]["ApprovalState"];
            /** @example apr_8Yk2cQ0nVtXw4u7LhZ1sRb6E */
            id: string;
            /**
             * @description How much is asked for: decimal, in major units.
             * @example 750000.00
             */
            amount: string;
            currency: string;
            /** @description The payment that it is about; null where it is about none. */
            paymentId: string | null;
            /** @description The merchant's reference of that payment; null where it is about none. */
            reference: string | null;
            /** @description The difference that it is about; null where it is about none. */
            differenceId: string | null;
            /** @description What the asker wrote; null: nothing. */
            reason: string | null;
            /** @description Who asked, as timelines name them. */
            askedBy: string;
            /** @description RFC 3339, UTC. */
            createdAt: string;
            /** @description Until when it can be approved. RFC 3339, UTC. */
            expiresAt: string;
            /** @description Who approved or declined it; null: nobody yet. */
            decidedBy: string | null;
            /** @description When. RFC 3339, UTC. */
            decidedAt: string | null;
            /** @description What they wrote about it; null: nothing. */
            note: string | null;
        };
        ApprovalListDto: {
            /** @description The newest first. */
            data: components["schemas"]["ApprovalDto"][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            nextCursor: string | null;
        };
        DecisionDto: {
            /**
             * @description Why, for your own records: at most 500 characters. What looks like a card number or another secret in it is removed before it is kept.
             * @example Checked with the warehouse.
             */
            note?: string;
        };
        ApprovedDto: {
            /**
             * @description What was done: the refund, the payment or the difference as it now stands. Absent while it waits; null where nothing was done, or not
             *     yet.
             */
            result?: Record<string, never> | null;
            approval: components["schemas"]["ApprovalDto"];
        };
        AuditEntryDto: {
            /** @example aud_mi7v0s2k3q2x7wRrUtQ1yZ0a */
            id: string;
            /** @description When it began. RFC 3339, UTC. */
            at: string;
            /**
             * @description `merchant`, or `merchant:<name>` with a named key; `…/cli:<user>` for a command that calls the service, `cli:<user>` for one
             *     that opens the store itself; `unknown` for a wrong key.
             * @example merchant:ops-anna
             */
            actor: string;
            /**
             * @description What was done, a verb; `authenticate` for a wrong key. More words may come.
             * @example void
             */
            action: string;
            /** @description The id of what it was done to; null where there is none. */
            object: string | null;
            /** @description The caller's address; a /64 for wrong keys from IPv6; null for commands, and for wrong keys beyond 100 addresses a minute. */
            address: string | null;
            /** @description The request's id where that is a UUID or a trace id; else one of the audit's own, which the log has beside the request's. Null for commands. */
            requestId: string | null;
            /**
             * @description `ok`, or the code of the problem that was answered; `outcome-unknown` also where the process died during it.
             * @example ok
             */
            outcome: string;
            /**
             * Format: int32
             * @description How many wrong keys it counts; 1 for everything else.
             */
            count: number;
        };
        AuditListDto: {
            data: components["schemas"]["AuditEntryDto"][];
            /** @description The last entry's id, to ask with as `after`; null where there was none: ask again with the same. */
            nextCursor: string | null;
        };
        SignInDto: {
            /**
             * @description `full`; `read` for a key that only reads; `books` for one that reads with payer data masked, uploads reports, and notes and closes differences.
             * @enum {string}
             */
            access: "full" | "read" | "books";
            /** @description `merchant`, or `merchant:<name>` with a named key. */
            actor: string;
            livemode: boolean;
            /**
             * @description `BOOKS_TIME_ZONE`: the time zone of every day and month in the books.
             * @example Africa/Lagos
             */
            timeZone: string;
        };
        AnyRefundDto: {
            /** @description The payment's. */
            reference: string;
            /** @example NGN */
            currency: string;
            /**
             * @description `merchant`: made here. `gateway`: made at the gateway's own dashboard; its `id` is that of its movement, and its `createdAt` is when it was
             *     made, as far as that is known. It is `failed` once it is known that it was one of yours, or none.
             * @enum {string}
             */
            source: "merchant" | "gateway";
            /** @description Who asked for it, as timelines name them; `gateway` where it was made at the gateway's own dashboard. */
            actor: string;
            /** @example ref_8Yk2cQ0nVtXw4u7LhZ1sRb6E */
            id: string;
            paymentId: string;
            /**
             * @description Decimal, in major units, with all minor digits.
             * @example 500.00
             */
            amount: string;
            /**
             * @description `processing`: sent, or the outcome is not known yet. `succeeded`: given back. `failed`: nothing was given back by it, or it came back.
             * @enum {string}
             */
            status: "processing" | "succeeded" | "failed";
            reason: string | null;
            /** @description RFC 3339, UTC. */
            createdAt: string;
        };
        AllRefundsDto: {
            /** @description The newest first. */
            data: components["schemas"]["AnyRefundDto"][];
            /** @description The `cursor` of the next page; null at the end. */
            nextCursor: string | null;
        };
        SettledDto: {
            settlementId: string;
            /**
             * Format: int32
             * @description The line of the report; of a payment that was settled in parts that of the last one.
             */
            line: number;
            /** @description When, as the report says: RFC 3339, UTC; null where it does not say. */
            at: string | null;
            /** @description Decimal, in major units: of a payment that was settled in parts the sum, like `fee` and `net`. */
            gross: string;
            /** @description Null where the report does not say. */
            fee: string | null;
            /** @description Null where the report does not say. */
            net: string | null;
        };
        MovementDto: {
            /** @example mov_8Yk2cQ0nVtXw4u7LhZ1sRb6E */
            id: string;
            /**
             * @description `payment`: captured. `refund`: given back. `refund_reversal`: a refund came back. `void`: reversed after it was captured. `chargeback`: the
             *     payer's bank took it back. `chargeback_reversal`: the dispute was won. `correction`: a person said that another amount arrived.
             * @enum {string}
             */
            kind: "void" | "payment" | "refund" | "refund_reversal" | "chargeback" | "chargeback_reversal" | "correction";
            /**
             * @description `in`: to you. `out`: from you.
             * @enum {string}
             */
            direction: "in" | "out";
            /**
             * @description Above zero. Decimal, in major units.
             * @example 1500.00
             */
            amount: string;
            /** @example NGN */
            currency: string;
            /** @description When the money moved, as the gateway says; otherwise when that was learned. RFC 3339, UTC. */
            at: string;
            /** @description When it was entered. RFC 3339, UTC. */
            recordedAt: string;
            /** @description It was entered after the month of `at` had ended in `BOOKS_TIME_ZONE`. */
            late: boolean;
            paymentId: string;
            reference: string;
            gatewayReference: string;
            /** @description The gateway's own name for the transaction. */
            transactionRef: string | null;
            /** @description The refund that it belongs to; null of other kinds, and of refunds that were made at the gateway's own dashboard. */
            refundId: string | null;
            /** @enum {string} */
            method: "card" | "wallet" | "transfer" | "ussd" | "unknown";
            /** @description Who asked for it, or `gateway`. */
            actor: string;
            /** @description Why, as a person wrote. `[erased]` once the payer's data was erased. */
            reason: string | null;
            /**
             * @description Whose word it is.
             * @enum {string}
             */
            source: "gateway" | "report" | "person";
            /** @description Null until settlement reports have settled it in whole. */
            settled: components["schemas"]["SettledDto"] | null;
        };
        MovementListDto: {
            /** @description By `at`, the oldest first. */
            data: components["schemas"]["MovementDto"][];
            /** @description The `cursor` of the next page; null at the end. */
            nextCursor: string | null;
        };
        SummaryRowDto: {
            /**
             * @description The day on which they were made, in `BOOKS_TIME_ZONE`; where the summary is by day.
             * @example 2031-01-31
             */
            day?: string;
            /**
             * @description The month, where the summary is by month.
             * @example 2031-01
             */
            month?: string;
            /**
             * @description Where the summary is by method.
             * @enum {string}
             */
            method?: "card" | "wallet" | "transfer" | "ussd" | "unknown";
            /**
             * @description Their current status, whenever they reached it.
             * @enum {string}
             */
            status: "processing" | "requires_action" | "authorized" | "succeeded" | "failed" | "canceled" | "expired" | "voided";
            /** @example NGN */
            currency: string;
            /** Format: int32 */
            count: number;
            /** @description The sum of their `amount`. Decimal, in major units. */
            amount: string;
            /** @description The sum of their `amountCaptured`: what was taken, which may be less where a hold was completed in part. */
            captured: string;
            /** @description The sum of their `amountRefunded`. */
            refunded: string;
        };
        MovementSummaryRowDto: {
            /**
             * @description The day on which it moved, in `BOOKS_TIME_ZONE`; where the summary is by day.
             * @example 2031-01-31
             */
            day?: string;
            /**
             * @description The month, where the summary is by month.
             * @example 2031-01
             */
            month?: string;
            /**
             * @description Where the summary is by method.
             * @enum {string}
             */
            method?: "card" | "wallet" | "transfer" | "ussd" | "unknown";
            /** @example NGN */
            currency: string;
            /** @description Payments, with what people have corrected of them. */
            captured: string;
            /** @description Refunds less those that came back: below zero where more came back. */
            refunded: string;
            /** @description Voids. */
            reversed: string;
            /** @description Chargebacks less disputes that were won: below zero where more were won. */
            chargedBack: string;
            /** @description `captured` less `refunded`, `reversed` and `chargedBack`. */
            net: string;
            /** @description What of `net` settlement reports have settled. */
            settled: string;
            /** @description What of `net` no report has settled yet. */
            unsettled: string;
            /**
             * Format: int32
             * @description Movements.
             */
            count: number;
            /**
             * Format: int32
             * @description Those of them that were entered after their month had ended.
             */
            late: number;
        };
        SummaryDto: {
            /** @description Payments, by when they were made. */
            data: components["schemas"]["SummaryRowDto"][];
            /** @description Money, by when it moved. */
            movements: components["schemas"]["MovementSummaryRowDto"][];
        };
        PaidOnDayDto: {
            /**
             * @description The day on which the payments were made, in `BOOKS_TIME_ZONE`.
             * @example 2031-01-31
             */
            day: string;
            /** @example NGN */
            currency: string;
            /** Format: int32 */
            count: number;
            /** @description What was taken. Decimal, in major units. */
            captured: string;
            /** @description What was given back of it. */
            refunded: string;
        };
        MethodShareDto: {
            /** @enum {string} */
            method: "card" | "wallet" | "transfer" | "ussd" | "unknown";
            /**
             * Format: int32
             * @description Paid, including those that were voided later.
             */
            paid: number;
            /**
             * Format: int32
             * @description Failed, canceled or expired. What is open or held is in neither.
             */
            notPaid: number;
        };
        OldestOpenDto: {
            paymentId: string;
            /** @description RFC 3339, UTC. */
            createdAt: string;
        };
        OpenDto: {
            /**
             * Format: int32
             * @description Sent to the gateway, or their outcome is not known yet.
             */
            processing: number;
            /**
             * Format: int32
             * @description Waiting for their payers.
             */
            requiresAction: number;
            /**
             * Format: int32
             * @description Held.
             */
            authorized: number;
            /** Format: int32 */
            needsAttention: number;
            /**
             * Format: int32
             * @description Payments that hold money of an order that another one pays.
             */
            duplicates: number;
            /** @description The one that has been open longest; null where none is. */
            oldest: components["schemas"]["OldestOpenDto"] | null;
        };
        LastSettlementDto: {
            id: string;
            /** @description RFC 3339, UTC. */
            receivedAt: string;
            /**
             * Format: int32
             * @description Of all kinds together: those that it has brought when it came.
             */
            differences: number;
        };
        OverviewDto: {
            /** @description When they were read. RFC 3339, UTC. */
            at: string;
            /** @description Paid on each of the last 30 days, today included; days without any are left out. */
            paid: components["schemas"]["PaidOnDayDto"][];
            /** @description Of the last 30 days. */
            methods: components["schemas"]["MethodShareDto"][];
            open: components["schemas"]["OpenDto"];
            /**
             * Format: int32
             * @description Events that wait for their delivery.
             */
            undeliveredEvents: number;
            /**
             * Format: int32
             * @description Where settlement reports, lists of orders and the ledger differ and nobody has dealt with it, over all reports.
             */
            openDifferences: number;
            /** @description Null where there was none. */
            lastSettlement: components["schemas"]["LastSettlementDto"] | null;
        };
        SetAsideRowDto: {
            /**
             * Format: int32
             * @description In the file, the first line being 1.
             */
            line: number;
            /** @description The column at fault, as the header names it; null where it is the whole line. */
            column: string | null;
        };
        SettlementTotalsDto: {
            /** @example NGN */
            currency: string;
            /** @description The payments. */
            gross: string;
            /** @description What the gateway keeps. */
            fees: string;
            /** @description What the merchant gets. */
            net: string;
            refunds: string;
            chargebacks: string;
            /** @description Refunds and chargebacks that came back, less payments that were reversed. */
            reversals: string;
            /** @description The payouts that the report has as rows; below zero where the merchant had to pay more than was paid out. */
            payouts: string;
        };
        SettlementOrdersDto: {
            /**
             * Format: int32
             * @description How many orders it has.
             */
            rows: number;
            /** @description RFC 3339, UTC. */
            receivedAt: string;
        };
        SettlementAdoptionDto: {
            /**
             * Format: int32
             * @description Payments about which the gateway is still to be asked.
             */
            waiting: number;
            /**
             * Format: int32
             * @description Taken over on the gateway's word.
             */
            adopted: number;
            /**
             * Format: int32
             * @description Taken over on the person's word alone: these payments need attention.
             */
            adoptedOnWord: number;
            /**
             * Format: int32
             * @description Not taken over; the differences say why.
             */
            left: number;
        };
        SettlementDto: {
            /** @example stl_8Yk2cQ0nVtXw4u7LhZ1sRb6E */
            id: string;
            /** @description Whether this is real money. */
            livemode: boolean;
            /** @description When it was received. RFC 3339, UTC. */
            receivedAt: string;
            /**
             * @description Who sent it.
             * @example merchant
             */
            actor: string;
            /** @description The report's time, from its first row to its last; null where its rows name none. */
            from: string | null;
            to: string | null;
            /**
             * Format: int32
             * @description How many rows it has, without the header.
             */
            rows: number;
            /** @description Rows that do not count, by reason: another `status`, a `fee` by itself, of a type that the profile ignores. */
            skipped: {
                [key: string]: number;
            };
            /**
             * Format: int32
             * @description How many of its rows settle a movement of the ledger, those that an earlier report has too among them.
             */
            rowsMatched: number;
            /**
             * Format: int32
             * @description How many say otherwise than the ledger, counted in the same way.
             */
            rowsDifferent: number;
            /**
             * Format: int32
             * @description How many rows could not be read, and were compared with nothing.
             */
            rowsSetAside: number;
            /** @description Where they stand: the first thousand. */
            setAside: components["schemas"]["SetAsideRowDto"][];
            /** @description What its rows come to, by currency. */
            totals: components["schemas"]["SettlementTotalsDto"][];
            /**
             * @description How many differences of each kind it has brought when it came; one that an earlier report has brought is counted there. `not_settled` counts what no
             *     report has of its time. `twice_there` is the part of `settled_twice` that it has settled twice itself, and `missing_there` the same as `not_settled`: as
             *     versions before 0.3.0 called them. Those of orders are there where a list of orders was compared too.
             * @example {
             *       "amount_differs": 0,
             *       "currency_differs": 0,
             *       "not_paid_here": 1,
             *       "unknown_here": 0,
             *       "settled_twice": 0,
             *       "refund_unknown_here": 0,
             *       "refund_differs": 0,
             *       "chargeback_unknown_here": 0,
             *       "chargeback_differs": 0,
             *       "fee_differs": 0,
             *       "payout_differs": 0,
             *       "not_settled": 2,
             *       "twice_there": 0,
             *       "missing_there": 2
             *     }
             */
            counts: {
                [key: string]: number;
            };
            orders: components["schemas"]["SettlementOrdersDto"] | null;
            /** @description Null if nobody has asked to take anything over. */
            adoption: components["schemas"]["SettlementAdoptionDto"] | null;
        };
        AdoptDto: {
            /**
             * @description Their lines in the file, the header being 1; all by default.
             * @example [
             *       412
             *     ]
             */
            rows?: number[];
        };
        AdoptedDto: {
            /** @example stl_8Yk2cQ0nVtXw4u7LhZ1sRb6E */
            id: string;
            /** @description Whether this is real money. */
            livemode: boolean;
            /** @description When it was received. RFC 3339, UTC. */
            receivedAt: string;
            /**
             * @description Who sent it.
             * @example merchant
             */
            actor: string;
            /** @description The report's time, from its first row to its last; null where its rows name none. */
            from: string | null;
            to: string | null;
            /**
             * Format: int32
             * @description How many rows it has, without the header.
             */
            rows: number;
            /** @description Rows that do not count, by reason: another `status`, a `fee` by itself, of a type that the profile ignores. */
            skipped: {
                [key: string]: number;
            };
            /**
             * Format: int32
             * @description How many of its rows settle a movement of the ledger, those that an earlier report has too among them.
             */
            rowsMatched: number;
            /**
             * Format: int32
             * @description How many say otherwise than the ledger, counted in the same way.
             */
            rowsDifferent: number;
            /**
             * Format: int32
             * @description How many rows could not be read, and were compared with nothing.
             */
            rowsSetAside: number;
            /** @description Where they stand: the first thousand. */
            setAside: components["schemas"]["SetAsideRowDto"][];
            /** @description What its rows come to, by currency. */
            totals: components["schemas"]["SettlementTotalsDto"][];
            /**
             * @description How many differences of each kind it has brought when it came; one that an earlier report has brought is counted there. `not_settled` counts what no
             *     report has of its time. `twice_there` is the part of `settled_twice` that it has settled twice itself, and `missing_there` the same as `not_settled`: as
             *     versions before 0.3.0 called them. Those of orders are there where a list of orders was compared too.
             * @example {
             *       "amount_differs": 0,
             *       "currency_differs": 0,
             *       "not_paid_here": 1,
             *       "unknown_here": 0,
             *       "settled_twice": 0,
             *       "refund_unknown_here": 0,
             *       "refund_differs": 0,
             *       "chargeback_unknown_here": 0,
             *       "chargeback_differs": 0,
             *       "fee_differs": 0,
             *       "payout_differs": 0,
             *       "not_settled": 2,
             *       "twice_there": 0,
             *       "missing_there": 2
             *     }
             */
            counts: {
                [key: string]: number;
            };
            orders: components["schemas"]["SettlementOrdersDto"] | null;
            /** @description Null if nobody has asked to take anything over. */
            adoption: components["schemas"]["SettlementAdoptionDto"] | null;
            /** @description The first of the rows that wait for another person, each with an approval of its own; absent where none does. */
            approval?: components["schemas"]["ApprovalDto"];
        };
        SettlementListDto: {
            data: components["schemas"]["SettlementDto"][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            nextCursor: string | null;
        };
        DifferenceMoneyDto: {
            /**
             * @description Decimal, in major units.
             * @example 1400.00
             */
            amount: string;
            /**
             * @description ISO 4217; null where the file names none.
             * @example NGN
             */
            currency: string | null;
        };
        SettlementDifferenceDto: {
            /** @example dif_mi7v0s2k3q2x7wRrUtQ1yZ0a */
            id: string;
            /** @enum {string} */
            state: "open" | "closed";
            /**
             * Format: int32
             * @description The line in the file, the header being 1; null where no row is meant.
             */
            row: number | null;
            /** @description The report whose row it is about, or beside which the list was sent; null for what no report has. */
            settlementId: string | null;
            /**
             * @description The gateway's reference of the payment; of an order the merchant's; of a payout its name.
             * @example ORDER-1001_1
             */
            reference: string;
            paymentId: string | null;
            /** @description The ledger's entry that it is about, where that is known. */
            movementId: string | null;
            /** @description When it was found. RFC 3339, UTC. */
            foundAt: string;
            /** @description What the ledger has; null: nothing. */
            expected: components["schemas"]["DifferenceMoneyDto"] | null;
            /** @description What the file says; null: nothing. */
            found: components["schemas"]["DifferenceMoneyDto"] | null;
            /** @description The latest note of a person. */
            note: string | null;
            /** @description Who closed it; null while it is open, and where it has closed itself because what it lacked has arrived. */
            closedBy: string | null;
            /** @description RFC 3339, UTC. */
            closedAt: string | null;
            /**
             * @description Why a person has closed it.
             * @enum {string|null}
             */
            reason: "duplicate" | "gateway_corrected" | "written_off" | "explained" | null;
            /**
             * @description What is done about it. `to_ask`: the gateway will be asked; `asked`: it has its time to confirm; `unconfirmed`: the payment
             *     needs attention; `to_approve`: the gateway cannot be asked, so another person must approve what the report claims. `to_adopt`, `adopted`, `adopted_on_word`, or `left_…`: not taken over, because the gateway says `not_paid`,
             *     `unknown`, `given_back`, `waiting` or `held`, the payment is `known` here by now, or `reference` or `currency` cannot be told. Null: nothing is.
             * @enum {string|null}
             */
            step: "adopted" | "asked" | "adopted_on_word" | "to_ask" | "unconfirmed" | "to_approve" | "to_adopt" | "left_not_paid" | "left_unknown" | "left_given_back" | "left_waiting" | "left_held" | "left_known" | "left_reference" | "left_currency" | null;
            /**
             * @description As `name`, but `twice_there` for what is `settled_twice` within the report, and `missing_there` for what is `not_settled` in its time: as
             *     versions before 0.3.0 called them.
             * @enum {string}
             */
            kind: "refund_unknown_here" | "chargeback_unknown_here" | "settled_twice" | "twice_there" | "missing_there" | "amount_differs" | "currency_differs" | "not_paid_here" | "unknown_here" | "refund_differs" | "chargeback_differs" | "fee_differs" | "payout_differs" | "not_settled" | "order_not_paid" | "order_paid_twice" | "order_unknown";
            /**
             * @description The word that `GET /v1/differences` has for it.
             * @enum {string}
             */
            name: "refund_unknown_here" | "chargeback_unknown_here" | "settled_twice" | "amount_differs" | "currency_differs" | "not_paid_here" | "unknown_here" | "refund_differs" | "chargeback_differs" | "fee_differs" | "payout_differs" | "not_settled" | "order_not_paid" | "order_paid_twice" | "order_unknown";
            /** @description What the file says: decimal, in major units. */
            amount?: string;
            currency?: string;
        };
        SettlementDifferenceListDto: {
            data: components["schemas"]["SettlementDifferenceDto"][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            nextCursor: string | null;
        };
        DifferenceDto: {
            /** @example dif_mi7v0s2k3q2x7wRrUtQ1yZ0a */
            id: string;
            /**
             * @description `amount_differs`, `currency_differs`: settled with another one; `not_paid_here`: settled there, not paid here; `unknown_here`: there is no such
             *     payment; `settled_twice`: by a report, or by two of them; `refund_unknown_here`, `refund_differs`, `chargeback_unknown_here`, `chargeback_differs`;
             *     `fee_differs`: not what the profile expects; `payout_differs`: not the net of its rows; `not_settled`: in no report. Of the list: `order_not_paid`,
             *     `order_paid_twice`, `order_unknown`: paid here, not listed as paid. More words may come.
             * @enum {string}
             */
            kind: "refund_unknown_here" | "chargeback_unknown_here" | "settled_twice" | "amount_differs" | "currency_differs" | "not_paid_here" | "unknown_here" | "refund_differs" | "chargeback_differs" | "fee_differs" | "payout_differs" | "not_settled" | "order_not_paid" | "order_paid_twice" | "order_unknown";
            /**
             * @description The same word.
             * @enum {string}
             */
            name: "refund_unknown_here" | "chargeback_unknown_here" | "settled_twice" | "amount_differs" | "currency_differs" | "not_paid_here" | "unknown_here" | "refund_differs" | "chargeback_differs" | "fee_differs" | "payout_differs" | "not_settled" | "order_not_paid" | "order_paid_twice" | "order_unknown";
            /** @enum {string} */
            state: "open" | "closed";
            /**
             * Format: int32
             * @description The line in the file, the header being 1; null where no row is meant.
             */
            row: number | null;
            /** @description The report whose row it is about, or beside which the list was sent; null for what no report has. */
            settlementId: string | null;
            /**
             * @description The gateway's reference of the payment; of an order the merchant's; of a payout its name.
             * @example ORDER-1001_1
             */
            reference: string;
            paymentId: string | null;
            /** @description The ledger's entry that it is about, where that is known. */
            movementId: string | null;
            /** @description When it was found. RFC 3339, UTC. */
            foundAt: string;
            /** @description What the ledger has; null: nothing. */
            expected: components["schemas"]["DifferenceMoneyDto"] | null;
            /** @description What the file says; null: nothing. */
            found: components["schemas"]["DifferenceMoneyDto"] | null;
            /** @description The latest note of a person. */
            note: string | null;
            /** @description Who closed it; null while it is open, and where it has closed itself because what it lacked has arrived. */
            closedBy: string | null;
            /** @description RFC 3339, UTC. */
            closedAt: string | null;
            /**
             * @description Why a person has closed it.
             * @enum {string|null}
             */
            reason: "duplicate" | "gateway_corrected" | "written_off" | "explained" | null;
            /**
             * @description What is done about it. `to_ask`: the gateway will be asked; `asked`: it has its time to confirm; `unconfirmed`: the payment
             *     needs attention; `to_approve`: the gateway cannot be asked, so another person must approve what the report claims. `to_adopt`, `adopted`, `adopted_on_word`, or `left_…`: not taken over, because the gateway says `not_paid`,
             *     `unknown`, `given_back`, `waiting` or `held`, the payment is `known` here by now, or `reference` or `currency` cannot be told. Null: nothing is.
             * @enum {string|null}
             */
            step: "adopted" | "asked" | "adopted_on_word" | "to_ask" | "unconfirmed" | "to_approve" | "to_adopt" | "left_not_paid" | "left_unknown" | "left_given_back" | "left_waiting" | "left_held" | "left_known" | "left_reference" | "left_currency" | null;
        };
        DifferenceListDto: {
            data: components["schemas"]["DifferenceDto"][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            nextCursor: string | null;
        };
        CloseDifferenceDto: {
            /**
             * @description Why it is over.
             * @enum {string}
             */
            reason: "gateway_corrected" | "written_off" | "explained" | "duplicate";
            /**
             * @description For whoever looks at it later: at most 500 characters. What looks like a secret in it is removed before it is kept.
             * @example The gateway takes it back with its next payout.
             */
            note: string;
        };
        ReopenDifferenceDto: {
            /** @description For whoever looks at it later: at most 500 characters. */
            note?: string;
        };
        NoteDifferenceDto: {
            /** @description It replaces the one before: at most 500 characters. */
            note: string;
        };
        PaymentSearchDto: {
            /**
             * @description Whatever is known of a payment: the beginning or the end of its reference, or four characters and more of it, in any case; its gateway
             *     reference; the payer's whole e-mail or phone, as the session had it; the last four digits of the card; or the amount. At most 200
             *     characters.
             * @example ada@example.com
             */
            query: string;
            /**
             * Format: int32
             * @description 1 to 100, 50 by default.
             */
            limit?: number;
            /** @description The `nextCursor` of the page before, of the same query. */
            cursor?: string;
        };
        PaymentListDto: {
            /** @description The newest first. */
            data: components["schemas"]["PaymentDto"][];
            /** @description Hand it back as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        TimelineEntryDto: {
            id: string;
            /**
             * @description What it is about. More words may come: ignore what you do not know.
             * @enum {string}
             */
            type: "created" | "status_changed" | "operation_intended" | "operation_confirmed" | "operation_refused" | "operation_unknown" | "outcome_unknown" | "gateway_waiting" | "otp_asked_again" | "pin_asked_again" | "action_changed" | "not_known" | "inconclusive" | "mismatch" | "duplicate" | "duplicate_ended" | "refunded" | "disputed" | "dispute_won" | "needs_attention" | "attention_lifted" | "owner_lost" | "resolved" | "report_unconfirmed" | "adopted";
            /** @description RFC 3339, UTC. */
            at: string;
            /** @enum {string} */
            from?: "processing" | "requires_action" | "authorized" | "succeeded" | "failed" | "canceled" | "expired" | "voided";
            /** @enum {string} */
            to?: "processing" | "requires_action" | "authorized" | "succeeded" | "failed" | "canceled" | "expired" | "voided";
            /** @description The gateway's word came after the payment had been closed. */
            late?: boolean;
            /** @description `payer`, `policy`, `merchant` or, with a named key, `merchant:<name>`, where somebody asked for it. */
            actor?: string;
            detail?: {
                [key: string]: string;
            };
        };
        TimelineDto: {
            /** @description The oldest first. */
            data: components["schemas"]["TimelineEntryDto"][];
        };
        OtpDto: {
            /**
             * @description The one-time code: 4 to 10 digits. It reaches the gateway and nothing else.
             * @example 123456
             */
            otp: string;
        };
        CompleteDto: {
            /**
             * @description How much to take of what is held: decimal, in major units; all of it by default, and `null` is refused.
             * @example 1000.00
             */
            amount?: string;
        };
        ResolveDto: {
            /**
             * @description What the payment, or with `refundId` that refund, turned out to be; a refund `succeeded` or `failed`.
             * @enum {string}
             */
            status: "succeeded" | "failed" | "voided";
            /**
             * @description Settles only this refund of the payment: one whose outcome nobody could find out, one that came back after it had succeeded
             *     (`failed`), or one that was done though it counts as failed (`succeeded`). The payment stays as it is, and need not need attention.
             * @example ref_8Yk2cQ0nVtXw4u7LhZ1sRb6E
             */
            refundId?: string;
            /** @description What really arrived: decimal, in major units. */
            amountReceived?: string;
            /**
             * @description How this was found out, for the timeline: at most 500 characters.
             * @example Seen on the bank statement of 21 November.
             */
            note: string;
        };
        RefundDto: {
            /**
             * @description How much to give back: decimal, in major units, at most what is left. Without it, all that is left; `null` is refused.
             * @example 500.00
             */
            amount?: string;
            /**
             * @description Why, for your own books: at most 500 characters. The gateway does not get it. What looks like a card number or another
             *     secret in it is removed before it is kept.
             * @example One of two books was out of stock.
             */
            reason?: string;
        };
        PaymentRefundDto: {
            /** @example ref_8Yk2cQ0nVtXw4u7LhZ1sRb6E */
            id: string;
            paymentId: string;
            /**
             * @description Decimal, in major units, with all minor digits.
             * @example 500.00
             */
            amount: string;
            /**
             * @description `processing`: sent, or the outcome is not known yet. `succeeded`: given back. `failed`: nothing was given back by it, or it came back.
             * @enum {string}
             */
            status: "processing" | "succeeded" | "failed";
            reason: string | null;
            /** @description RFC 3339, UTC. */
            createdAt: string;
        };
        RefundListDto: {
            /** @description The oldest first. */
            data: components["schemas"]["PaymentRefundDto"][];
        };
        /**
         * @description Where it was heard of: `loss` (commits that the database has forgotten), `report` (a settlement report), `notification` (one that
         *     matched nothing), or `next` (it comes after one that the gateway knows).
         * @enum {string}
         */
        NameSource: "loss" | "report" | "notification" | "next";
        PaymentNameDto: {
            /**
             * @description Where it was heard of: `loss` (commits that the database has forgotten), `report` (a settlement report), `notification` (one that
             *     matched nothing), or `next` (it comes after one that the gateway knows).
             */
            source: components["schemas"]["NameSource"];
            /**
             * @description What the gateway calls it.
             * @example ORDER-1001_2
             */
            gatewayReference: string;
            /** @description When it was first heard of. */
            at: string;
            /** @description When a person released it; null where nobody did. */
            releasedAt: string | null;
            /** @description Who released it; null where nobody did. */
            releasedBy: string | null;
        };
        HeldReferenceDto: {
            /**
             * @description The merchant's.
             * @example ORDER-1001
             */
            reference: string;
            /** @description Since when the gateway has not said what became of the named payments; null once it is released. */
            heldSince: string | null;
            /** @description The payments that it is held for. */
            names: components["schemas"]["PaymentNameDto"][];
        };
        HeldReferenceListDto: {
            data: components["schemas"]["HeldReferenceDto"][];
            /** @description Where the next page begins; null on the last one. */
            nextCursor: string | null;
        };
        ReleaseReferenceDto: {
            /**
             * @description How it was found out that no other payment of the order is on its way: at most 500 characters.
             * @example The gateways dashboard has no payment ORDER-1001_2.
             */
            note: string;
        };
        ProblemFault: {
            /** @description JSON pointer to the member of the body, or `/` and the query parameter. Of a file: its line, and its column. */
            pointer: string;
            /**
             * Format: int32
             * @description Of a CSV file: the line, the header being 1.
             */
            line?: number;
            /** @description Of a CSV file: the name of the column. */
            column?: string;
            /** @description What is expected there. */
            message: string;
        };
        /** @description RFC 9457 problem document. Decide by `code`. */
        Problem: {
            /**
             * Format: uri
             * @example urn:tillfront:problem:validation-failed
             */
            type: string;
            title: string;
            /** Format: int32 */
            status: number;
            /** @description For people; it may change. */
            detail: string;
            /**
             * Format: uri-reference
             * @description The path of the call, without tokens.
             */
            instance: string;
            /** @enum {string} */
            code: "malformed-request" | "malformed-json" | "validation-failed" | "idempotency-key-missing" | "unauthorized" | "forbidden" | "origin-not-allowed" | "not-found" | "method-not-allowed" | "request-timeout" | "idempotency-in-flight" | "payment-in-progress" | "session-paid" | "session-expired" | "session-closed" | "reference-in-use" | "not-supported" | "operation-in-progress" | "gateway-refused" | "outcome-unknown" | "invalid-state" | "body-too-large" | "uri-too-long" | "unsupported-media-type" | "idempotency-key-reused" | "rate-limited" | "header-too-large" | "internal-error" | "gateway-credentials-rejected" | "gateway-unavailable" | "gateway-busy" | "store-unavailable" | "payments-held" | "overloaded" | "shutting-down";
            /** @description As in `X-Request-Id`; the log has it too. */
            requestId: string;
            errors?: components["schemas"]["ProblemFault"][];
            /** @description The payment that the call began or met. */
            paymentId?: string;
        };
        /** @description What the payer must do next. More types may come: treat one that you do not know as waiting. */
        NextAction: {
            /** @constant */
            type: "redirect";
            /**
             * Format: uri
             * @description Where to send the payer.
             */
            url: string;
            /** @enum {string} */
            method: "GET" | "POST";
            /** @description With POST: the fields of the form. */
            fields?: {
                [key: string]: string;
            };
        } | {
            /** @constant */
            type: "otp";
            /** @description The gateway's own words for the payer, in its own language. */
            message?: string;
        } | {
            /** @constant */
            type: "pin";
            /** @description The gateway's own words for the payer, in its own language. */
            message?: string;
        } | {
            /** @constant */
            type: "unsupported";
            /** @description The gateway's own words for the payer, in its own language. */
            message?: string;
        } | {
            /** @constant */
            type: "transfer";
            bankName: string;
            accountNumber: string;
            /** @description Whose account it is; null where the gateway does not say. */
            accountName: string | null;
            /** @description Decimal, in major units: exactly this. */
            amount: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC. After that the account accepts no money.
             */
            expiresAt?: string;
        } | {
            /** @constant */
            type: "ussd";
            /** @description What to dial. */
            code: string;
            bankName?: string;
        };
        SessionData: {
            metadata: {
                [key: string]: string;
            };
            /**
             * @description Why the session is closed: by you (`merchant`), after too many issuer declines (`declines`) or payments (`attempts`), or because its
             *     payment was `voided`. Null while it is not closed.
             * @enum {string|null}
             */
            closedReason: "merchant" | "declines" | "attempts" | "voided" | null;
            /** @example cs_Jg1hK6vX2bWq8r0mT5yNd3Pz */
            id: string;
            /** @description Whether this is real money. */
            livemode: boolean;
            /**
             * @description `open`, `paid`, `expired` or `closed`.
             * @enum {string}
             */
            status: "open" | "paid" | "expired" | "closed";
            /** @example ORDER-1001 */
            reference: string;
            /**
             * @description Decimal, in major units, with all minor digits.
             * @example 1500.00
             */
            amount: string;
            /** @example NGN */
            currency: string;
            returnUrl: string | null;
            methods: ("card" | "wallet" | "transfer" | "ussd")[];
            /** @description The language of the payment page where it does not speak the browser's, as a BCP 47 tag; null where none was said. */
            locale: string | null;
            /** @description RFC 3339, UTC. */
            expiresAt: string;
            /** @description RFC 3339, UTC. */
            createdAt: string;
        };
        EventHead: {
            /** @example evt_8Yk2cQ0nVtXw4u7LhZ1sRb6E */
            id: string;
            apiVersion: string;
            /** @description Whether this is real money. */
            livemode: boolean;
            /** @description When it happened. RFC 3339, UTC. */
            timestamp: string;
            /**
             * Format: int32
             * @description Counts the events of the payment or session from 1.
             */
            sequence: number;
            /** @description Set if the gateway's word came after the payment had been closed. */
            late?: boolean;
            /** @description The operation that the event is about: set on `payment.operation_refused`, `payment.refund_failed`, and on `payment.refunded` by a refund made here. */
            operation?: components["schemas"]["EventOperationDto"];
        };
        /** @description The payer must do something. You need not act. */
        PaymentRequiresActionEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.requires_action";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.requires_action";
        };
        /** @description The money is held, not paid: complete or void the payment. */
        PaymentAuthorizedEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.authorized";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.authorized";
        };
        /** @description Paid. */
        PaymentSucceededEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.succeeded";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.succeeded";
        };
        /** @description Not paid. Another attempt may still pay the order. */
        PaymentFailedEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.failed";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.failed";
        };
        /** @description Canceled while it waited. */
        PaymentCanceledEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.canceled";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.canceled";
        };
        /** @description Its time ran out while it waited. */
        PaymentExpiredEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.expired";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.expired";
        };
        /** @description Reversed. */
        PaymentVoidedEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.voided";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.voided";
        };
        /** @description The order was paid a second time, by this payment. */
        PaymentDuplicateEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.duplicate";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.duplicate";
        };
        /** @description A person has to look. */
        PaymentNeedsAttentionEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.needs_attention";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.needs_attention";
        };
        /** @description A completion or a void that was answered with 202 was not done. */
        PaymentOperationRefusedEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.operation_refused";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.operation_refused";
        };
        /** @description Money was given back. `amountRefunded` is the total so far. */
        PaymentRefundedEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.refunded";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.refunded";
        };
        /** @description A refund was not done, or it came back. */
        PaymentRefundFailedEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.refund_failed";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.refund_failed";
        };
        /** @description The payer’s bank has taken the money back. */
        PaymentDisputedEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.disputed";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.disputed";
        };
        /** @description The dispute was won or withdrawn. */
        PaymentDisputeWonEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.dispute_won";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.dispute_won";
        };
        /** @description A person has said that another amount arrived. */
        PaymentResolvedEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.resolved";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.resolved";
        };
        /** @description A refund, or resolving the payment as paid, waits for a second person. */
        PaymentApprovalNeededEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "payment.approval_needed";
            data: components["schemas"]["PaymentDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.approval_needed";
        };
        /** @description The order is paid. */
        CheckoutSessionPaidEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "checkout_session.paid";
            data: components["schemas"]["SessionData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "checkout_session.paid";
        };
        /** @description Its time ran out unpaid. */
        CheckoutSessionExpiredEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "checkout_session.expired";
            data: components["schemas"]["SessionData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "checkout_session.expired";
        };
        /** @description Closed. `closedReason` says why. */
        CheckoutSessionClosedEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "checkout_session.closed";
            data: components["schemas"]["SessionData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "checkout_session.closed";
        };
        /** @description Writing a difference off waits for a second person. */
        DifferenceApprovalNeededEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "difference.approval_needed";
            data: components["schemas"]["DifferenceDto"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "difference.approval_needed";
        };
        /** @description Sent by `tillfront doctor`. Accept it, and do nothing. */
        TillfrontTestEvent: components["schemas"]["EventHead"] & {
            /** @constant */
            type: "tillfront.test";
            /** @description Empty. */
            data: Record<string, never>;
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tillfront.test";
        };
        /** @description An event as it is posted to your server. More types may come: answer 2xx to those that you do not know. */
        WebhookEvent: components["schemas"]["PaymentRequiresActionEvent"] | components["schemas"]["PaymentAuthorizedEvent"] | components["schemas"]["PaymentSucceededEvent"] | components["schemas"]["PaymentFailedEvent"] | components["schemas"]["PaymentCanceledEvent"] | components["schemas"]["PaymentExpiredEvent"] | components["schemas"]["PaymentVoidedEvent"] | components["schemas"]["PaymentDuplicateEvent"] | components["schemas"]["PaymentNeedsAttentionEvent"] | components["schemas"]["PaymentOperationRefusedEvent"] | components["schemas"]["PaymentRefundedEvent"] | components["schemas"]["PaymentRefundFailedEvent"] | components["schemas"]["PaymentDisputedEvent"] | components["schemas"]["PaymentDisputeWonEvent"] | components["schemas"]["PaymentResolvedEvent"] | components["schemas"]["PaymentApprovalNeededEvent"] | components["schemas"]["CheckoutSessionPaidEvent"] | components["schemas"]["CheckoutSessionExpiredEvent"] | components["schemas"]["CheckoutSessionClosedEvent"] | components["schemas"]["DifferenceApprovalNeededEvent"] | components["schemas"]["TillfrontTestEvent"];
    };
    responses: {
        /** @description `malformed-request`: The HTTP request is malformed. `malformed-json`: The body is not acceptable JSON. `validation-failed`: The request does not fit. `idempotency-key-missing`: One valid Idempotency-Key header is needed. */
        Problem400: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unauthorized`: No valid credential. */
        Problem401: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `forbidden`: The credential does not allow this. `origin-not-allowed`: This browser origin is not allowed. */
        Problem403: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not-found`: Not found. */
        Problem404: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `method-not-allowed`: The method is not allowed here. */
        Problem405: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `request-timeout`: The request took too long to arrive. */
        Problem408: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency-in-flight`: The first request with this key still runs. `payment-in-progress`: A payment is in progress. `session-paid`: Already paid. `session-expired`: The checkout session has expired. `session-closed`: The checkout session is closed. `reference-in-use`: The reference is in use. `not-supported`: The gateway does not support this. `operation-in-progress`: Another operation is in progress. `gateway-refused`: The gateway refused. `outcome-unknown`: The outcome is not known yet. `invalid-state`: Not possible in this state. */
        Problem409: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `body-too-large`: The body is too large. */
        Problem413: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `uri-too-long`: The address is too long. */
        Problem414: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported-media-type`: This media type is not supported. */
        Problem415: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency-key-reused`: The Idempotency-Key was used for another request. */
        Problem422: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate-limited`: Too many requests. */
        Problem429: {
            headers: {
                "X-Request-Id"?: string;
                /** @description Seconds after which to try again. */
                "Retry-After"?: number;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `header-too-large`: The request header is too large. */
        Problem431: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `internal-error`: Internal error. */
        Problem500: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `gateway-credentials-rejected`: The gateway rejected the merchant’s credentials. */
        Problem502: {
            headers: {
                "X-Request-Id"?: string;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `gateway-unavailable`: The gateway cannot be reached. `gateway-busy`: The gateway is busy. `store-unavailable`: The store is unavailable. `payments-held`: No payment can be started now. `overloaded`: Too many requests at once. `shutting-down`: Shutting down. */
        Problem503: {
            headers: {
                "X-Request-Id"?: string;
                /** @description Seconds after which to try again. */
                "Retry-After"?: number;
                /** @description The caller’s origin, if it is an allowed one. */
                "Access-Control-Allow-Origin"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "sessions.list": {
        parameters: {
            query: {
                /** @description The merchant's reference. */
                reference: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionListDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "sessions.create": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSessionDto"];
            };
        };
        responses: {
            /** @description A replay: the session in its current state. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantSessionDto"];
                };
            };
            201: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantSessionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "sessions.find": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantSessionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "sessions.close": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmptyDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantSessionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "sessions.redact": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmptyDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantSessionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "browserSession.find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSessionDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "cards.pay": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayCardDto"];
            };
        };
        responses: {
            /** @description A replay: the payment in its current state. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            /** @description The gateway has answered. */
            201: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            /** @description The outcome is not known yet: wait for it. */
            202: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "cardPin.pin": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            202: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "cardEncryptionKey.key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardEncryptionKeyDto"];
                };
            };
            400: components["responses"]["Problem400"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "wallets.pay": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayWalletDto"];
            };
        };
        responses: {
            /** @description A replay: the payment in its current state. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            /** @description The gateway has answered. */
            201: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            /** @description The outcome is not known yet: wait for it. */
            202: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "transfers.pay": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayTransferDto"];
            };
        };
        responses: {
            /** @description A replay: the payment in its current state. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            /** @description The gateway has answered. */
            201: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            /** @description The outcome is not known yet: wait for it. */
            202: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "ussd.pay": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayUssdDto"];
            };
        };
        responses: {
            /** @description A replay: the payment in its current state. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            /** @description The gateway has answered. */
            201: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            /** @description The outcome is not known yet: wait for it. */
            202: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "ussdBanks.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UssdBanksDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "events.list": {
        parameters: {
            query?: {
                /** @description The id of the event after which the list begins; from the first one by default. */
                after?: string;
                /** @description Only this payment's. */
                paymentId?: string;
                /**
                 * @description `true`: only those that wait for delivery, in the order of the next attempt. At most `limit`; there is no next page, and
                 *     `after` and `paymentId` cannot be combined with it.
                 */
                waiting?: "true";
                /** @description 1 to 100, 50 by default. */
                limit?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "events.redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmptyDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "events.redeliverWaiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmptyDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliveredDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "approvals.list": {
        parameters: {
            query?: {
                /** @description Only those in this state. */
                state?: "waiting" | "approved" | "declined" | "expired";
                /** @description Only those about this payment. */
                paymentId?: string;
                /** @description 1 to 100, 50 by default. */
                limit?: string;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalListDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "approvals.approve": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovedDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "approvals.decline": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovedDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "audit.list": {
        parameters: {
            query?: {
                /** @description The id of the entry after which the list begins; from the first one by default. */
                after?: string;
                /** @description `oldest` first by default; with `newest` the list goes back in time, and `after` asks for what is older. */
                order?: "oldest" | "newest";
                /** @description 1 to 100, 50 by default. */
                limit?: string;
                /** @description Those that began at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
                from?: string;
                /** @description Those that began before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
                to?: string;
                /** @description As an entry has it, whole. */
                actor?: string;
                /** @description What was done. */
                action?: string;
                /** @description The id of what it was done to. */
                object?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditListDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "audit.table": {
        parameters: {
            query?: {
                /** @description `spreadsheet`: the table begins with a byte order mark, by which a spreadsheet knows that it is UTF-8. */
                for?: "spreadsheet";
                /** @description Those that began at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
                from?: string;
                /** @description Those that began before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
                to?: string;
                /** @description As an entry has it, whole. */
                actor?: string;
                /** @description What was done. */
                action?: string;
                /** @description The id of what it was done to. */
                object?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table. Text that a spreadsheet would execute starts with an apostrophe. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "signIns.signIn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmptyDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "allRefunds.refunds": {
        parameters: {
            query?: {
                /** @description Only those made at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
                from?: string;
                /** @description Only those made before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
                to?: string;
                /** @description Only those in this status. */
                status?: "processing" | "succeeded" | "failed";
                /** @description 1 to 100, 50 by default. */
                limit?: string;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllRefundsDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "movements.movements": {
        parameters: {
            query?: {
                /** @description Only those whose money moved at this time or later (`at`): a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
                from?: string;
                /** @description Only those whose money moved before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
                to?: string;
                /** @description Only those of this kind. */
                kind?: "payment" | "refund" | "refund_reversal" | "void" | "chargeback" | "chargeback_reversal" | "correction";
                /** @description Only those in this currency (ISO 4217). */
                currency?: string;
                /** @description Only those of this reference's payments. */
                reference?: string;
                /** @description Only those of this payment. */
                paymentId?: string;
                /** @description `true`: only those that settlement reports have settled in whole; `false`: only the others. */
                settled?: "true" | "false";
                /** @description 1 to 100, 50 by default. */
                limit?: string;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovementListDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "reports.summary": {
        parameters: {
            query?: {
                /** @description `day` by default. */
                by?: "day" | "month" | "method" | "currency";
                /** @description Those made at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`; from the first one by default. */
                from?: string;
                /** @description Those made before this time, or until the end of this date in `BOOKS_TIME_ZONE`; until now by default. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummaryDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "reports.overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverviewDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "reports.payments": {
        parameters: {
            query?: {
                /** @description `spreadsheet`: the table begins with a byte order mark, by which a spreadsheet knows that it is UTF-8. */
                for?: "spreadsheet";
                /** @description Those made at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`; from the first one by default. */
                from?: string;
                /** @description Those made before this time, or until the end of this date in `BOOKS_TIME_ZONE`; until now by default. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table. Cells that a spreadsheet would execute start with an apostrophe. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "reports.movementsCsv": {
        parameters: {
            query?: {
                /** @description `spreadsheet`: the table begins with a byte order mark, by which a spreadsheet knows that it is UTF-8. */
                for?: "spreadsheet";
                /** @description Those made at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`; from the first one by default. */
                from?: string;
                /** @description Those made before this time, or until the end of this date in `BOOKS_TIME_ZONE`; until now by default. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table. Text that a spreadsheet would execute starts with an apostrophe. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "settlements.list": {
        parameters: {
            query?: {
                /** @description 1 to 100, 50 by default. */
                limit?: string;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementListDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "settlements.compare": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description This file was compared before. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementDto"];
                };
            };
            201: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "settlements.compareOrders": {
        parameters: {
            query?: {
                /** @description Columns that have other names, separated by commas. */
                columns?: string;
                /** @description The words of the status that mean paid, in any case, separated by commas; `paid` by default. */
                paid?: string;
                /** @description Those that mean given back whole; `refunded` by default. */
                refunded?: string;
                /** @description Those of an order for which nothing is to be paid; `free` by default. */
                free?: string;
            };
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "settlements.adopt": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdoptDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdoptedDto"];
                };
            };
            /** @description Another person must approve some of the rows first. */
            202: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdoptedDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "settlements.find": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "settlements.differences": {
        parameters: {
            query?: {
                /** @description Only this kind; `twice_there` and `missing_there` mean `settled_twice` and `not_settled`. */
                kind?: "amount_differs" | "currency_differs" | "not_paid_here" | "unknown_here" | "settled_twice" | "refund_unknown_here" | "refund_differs" | "chargeback_unknown_here" | "chargeback_differs" | "fee_differs" | "payout_differs" | "not_settled" | "order_not_paid" | "order_paid_twice" | "order_unknown" | "twice_there" | "missing_there";
                /** @description 1 to 100, 50 by default. */
                limit?: string;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementDifferenceListDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "differences.list": {
        parameters: {
            query?: {
                state?: "open" | "closed";
                /** @description The gateway's reference of a payment, or the merchant's of an order with all its payments. */
                reference?: string;
                /** @description Only those of this currency: the file's, or where it names none the ledger's. */
                currency?: string;
                /** @description Only those found at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
                from?: string;
                /** @description Only those found before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
                to?: string;
                /** @description Only this kind; `twice_there` and `missing_there` mean `settled_twice` and `not_settled`. */
                kind?: "amount_differs" | "currency_differs" | "not_paid_here" | "unknown_here" | "settled_twice" | "refund_unknown_here" | "refund_differs" | "chargeback_unknown_here" | "chargeback_differs" | "fee_differs" | "payout_differs" | "not_settled" | "order_not_paid" | "order_paid_twice" | "order_unknown" | "twice_there" | "missing_there";
                /** @description 1 to 100, 50 by default. */
                limit?: string;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DifferenceListDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "differences.close": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CloseDifferenceDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DifferenceDto"];
                };
            };
            /** @description Another person must approve it first. */
            202: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovedDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "differences.reopen": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReopenDifferenceDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DifferenceDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "differences.note": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteDifferenceDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DifferenceDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "paymentSearch.search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSearchDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentListDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "payments.list": {
        parameters: {
            query?: {
                /** @description Only this reference's. */
                reference?: string;
                /** @description Only those in this status. */
                status?: "processing" | "requires_action" | "authorized" | "succeeded" | "failed" | "canceled" | "expired" | "voided";
                /** @description Only those by this method. */
                method?: "card" | "wallet" | "transfer" | "ussd" | "unknown";
                /** @description Only those made at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
                from?: string;
                /** @description Only those made before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
                to?: string;
                /** @description Only those paid at this time or later (`paidAt`): a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
                paidFrom?: string;
                /** @description Only those paid before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
                paidTo?: string;
                /** @description Only those of this amount, in major units of any currency: `1500` and `1500.00` are the same. */
                amount?: string;
                /** @description Only those in this currency (ISO 4217). */
                currency?: string;
                /** @description Only those by a card that ends in these four digits. */
                last4?: string;
                /** @description Only the payment with this gateway reference. */
                gatewayReference?: string;
                /** @description `true`: only those that need attention. */
                needsAttention?: "true" | "false";
                /** @description `true`: only those that are charged back. */
                disputed?: "true" | "false";
                /** @description `true`: only those that hold money beside another payment that pays their reference: an order was paid twice. */
                duplicate?: "true" | "false";
                /** @description 1 to 100, 50 by default. */
                limit?: string;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentListDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "payments.find": {
        parameters: {
            query?: {
                /**
                 * @description How long to wait for a change, in seconds: 0 to 30. A token holds at most 8 such calls at the same time, a merchant key 200; one more is
                 *     answered at once, with `Retry-After`.
                 */
                wait?: string;
                /**
                 * @description What the caller has seen of the payment: its status, and with `requires_action` also the type of the next action
                 *     (`requires_action.otp`). Where it stands otherwise by now, the answer comes at once. Without it a change between two calls is not
                 *     noticed before the next one.
                 */
                seen?: "processing" | "requires_action" | "authorized" | "succeeded" | "failed" | "canceled" | "expired" | "voided" | "requires_action.redirect" | "requires_action.otp" | "requires_action.pin" | "requires_action.transfer" | "requires_action.ussd" | "requires_action.unsupported";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description Only where `wait` was asked for and too many wait already (8 a token, 200 a merchant key): seconds after which to ask again. The answer came at once. */
                    "Retry-After"?: number;
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "payments.timeline": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "payments.otp": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OtpDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            202: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "payments.cancel": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmptyDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "payments.complete": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            202: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "payments.void": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmptyDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            202: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "payments.resolve": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveDto"];
            };
        };
        responses: {
            /** @description The payment; of a repeated call that waited for an approval, that with its result. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"] | components["schemas"]["ApprovedDto"];
                };
            };
            /** @description Nothing was done yet: another person must approve it. */
            202: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovedDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "payments.refresh": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmptyDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "refunds.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundListDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "refunds.refund": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundDto"];
            };
        };
        responses: {
            /** @description A replay: the refund, or the approval with its result, in its current state. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRefundDto"] | components["schemas"]["ApprovedDto"];
                };
            };
            /** @description The gateway has given the money back. */
            201: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRefundDto"];
                };
            };
            /** @description The outcome is not known yet: the service keeps asking the gateway. Or nothing was sent, because another person must approve it. */
            202: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRefundDto"] | components["schemas"]["ApprovedDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "heldReferences.list": {
        parameters: {
            query?: {
                /** @description 1 to 100, 50 by default. */
                limit?: string;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldReferenceListDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    "heldReferences.release": {
        parameters: {
            query?: never;
            header: {
                /** @description 1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result. */
                "Idempotency-Key": string;
            };
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReleaseReferenceDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldReferenceDto"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
        };
    };
    "return.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description On to the shop. */
            303: {
                headers: {
                    Location?: string;
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["Problem404"];
            503: components["responses"]["Problem503"];
        };
    };
    "return.post": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": Record<string, never>;
            };
        };
        responses: {
            /** @description On to the shop. */
            303: {
                headers: {
                    Location?: string;
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["Problem404"];
            503: components["responses"]["Problem503"];
        };
    };
    "notifications.take": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            /** @description Stored. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        received: true;
                    };
                };
            };
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            503: components["responses"]["Problem503"];
        };
    };
    "notifications.takeBySecretAddress": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            /** @description Stored. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        received: true;
                    };
                };
            };
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            503: components["responses"]["Problem503"];
        };
    };
    "health.live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @example live */
                        status: string;
                    };
                };
            };
        };
    };
    "health.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It may. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @example ready */
                        status: string;
                    };
                };
            };
            /** @description Not now, and why. */
            503: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @example not-ready */
                        status: string;
                        /** @enum {string} */
                        reason?: "stopping" | "store" | "clock";
                        /** @description For a person. */
                        detail?: string;
                    };
                };
            };
        };
    };
    "metrics.scrape": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the text format. */
            200: {
                headers: {
                    /** @description The caller’s origin, if it is an allowed one. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            404: components["responses"]["Problem404"];
        };
    };
    "webhooks.payment.requires_action": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentRequiresActionEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.authorized": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentAuthorizedEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.succeeded": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSucceededEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentFailedEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.canceled": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentCanceledEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.expired": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentExpiredEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.voided": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentVoidedEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.duplicate": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentDuplicateEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.needs_attention": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentNeedsAttentionEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.operation_refused": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentOperationRefusedEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.refunded": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentRefundedEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.refund_failed": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentRefundFailedEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.disputed": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentDisputedEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.dispute_won": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentDisputeWonEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.resolved": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentResolvedEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.payment.approval_needed": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentApprovalNeededEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.checkout_session.paid": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutSessionPaidEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.checkout_session.expired": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutSessionExpiredEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.checkout_session.closed": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutSessionClosedEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.difference.approval_needed": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DifferenceApprovalNeededEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.tillfront.test": {
        parameters: {
            query?: never;
            header: {
                /** @description The event’s id. Handle each once. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse one that is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description One or more of `v1,` and a signature, after the Standard Webhooks specification. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TillfrontTestEvent"];
            };
        };
        responses: {
            /** @description Accepted. Any other answer is tried again for 72 hours; 410 ends the event. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
