/**
 * Shows an exchange as a servlet request and a servlet response. Input: exchanges of the gateway. Output: objects of
 * the servlet API.
 */
@NullMarked
package dev.lychgate.zuul.servlet;

import org.jspecify.annotations.NullMarked;
